/// The part of a modifier that lives as long as the identity of its view.
@MainActor
class Effect {
  unowned let node: Node

  init(_ node: Node) { self.node = node }

  func appear() {}
  func disappear() {}
  func end() {}
}
