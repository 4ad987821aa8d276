/// Reads and writes the path of a navigation stack.
struct PathAccess {
  let read: () -> [AnyHashable]
  let write: ([AnyHashable]) -> Void
}

/// What a navigation stack shows.
final class StackEffect: Effect {
  struct Destination {
    let owner: Int
    let view: (Any) -> any View
  }

  let ownPath: PathAccess = {
    let location = StateLocation<[AnyHashable]>([])
    return PathAccess(read: { location.value }, write: { location.value = $0 })
  }()
  lazy var path = ownPath
  private(set) var shown: [AnyHashable] = []
  private(set) var isPopping = false
  private var destinations: [ObjectIdentifier: StateLocation<Destination?>] = [:]

  /// Shows the path, unless the user is just popping a screen.
  func readPath() {
    let elements = path.read()
    if !isPopping { shown = elements }
  }

  // MARK: Destinations

  func destination(for type: Any.Type) -> StateLocation<Destination?> {
    if let location = destinations[ObjectIdentifier(type)] { return location }
    let location = StateLocation<Destination?>(nil)
    destinations[ObjectIdentifier(type)] = location
    return location
  }

  /// Like in SwiftUI, the destination nearest to the root takes precedence.
  func setDestination(_ destination: Destination, for type: Any.Type) {
    let location = self.destination(for: type)
    if let owner = location.value?.owner, owner != destination.owner { return }
    location.value = destination
  }

  func removeDestination(of owner: Int) {
    for location in destinations.values where location.value?.owner == owner { location.value = nil }
  }

  // MARK: Changes by the user

  /// Writes the part of the path that stays, computed from the screens that are shown.
  func pop(to count: Int) {
    shown = Array(shown.prefix(count))
    isPopping = false
    path.write(shown)
    node?.invalidate()
  }

  func push(_ value: AnyHashable) { path.write(path.read() + [value]) }

  func beginPop() { isPopping = true }

  func cancelPop() {
    isPopping = false
    node?.invalidate()
  }

  override func dismiss(_ screen: ScreenPosition?) {
    guard let screen, shown.indices.contains(screen.index), shown[screen.index] == screen.value else {
      return
    }
    pop(to: screen.index)
  }
}
