/// The ends of the animations and transitions that are in progress, in the order in which they began.
@MainActor
enum PendingWork {
  /// The end of one animation or transition. It runs at most once.
  @MainActor
  final class Item {
    private var work: (() -> Void)?

    init(_ work: @escaping () -> Void) { self.work = work }

    /// Ends this animation now, in ``UIKitStandIn/advance()`` or earlier.
    func run() {
      items.removeAll { $0 === self }
      let work = work
      self.work = nil
      work?()
    }
  }

  private static var items: [Item] = []

  static var count: Int { items.count }
  static var first: Item? { items.first }

  @discardableResult
  static func add(_ work: @escaping () -> Void) -> Item {
    let item = Item(work)
    items.append(item)
    return item
  }

  /// Runs the end of a transition: later if the transition is animated, and now otherwise.
  @discardableResult
  static func end(animated: Bool, _ work: @escaping () -> Void) -> Item {
    let item = add(work)
    if !animated && !UIKitStandIn.endsAllTransitionsInAdvance { item.run() }
    return item
  }
}
