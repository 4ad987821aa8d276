extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Runs `body` on `owner` for each element: the one loop that cannot keep its owner alive.
  ///
  /// It ends when either side goes: with the end of the sequence, when the token is cancelled, and when the owner goes away, because
  /// the owner keeps the token. An owner that goes without it is noticed at the next element.
  ///
  /// - Isolation: `body` runs on `owner`, one element at a time, in order. Where it waits, the next element waits too, and
  ///   a stream of state goes on with the latest.
  /// - Cancellation: after a cancel from the owner's isolation, `body` is not begun again.
  /// - Ownership: `body` is handed the owner, and must not capture it; what else it captures is kept until the loop ends.
  ///
  /// ```swift
  /// actor Badge {
  ///   private var cart: CancellationToken?
  ///   private var count = 0
  ///
  ///   func follow(_ states: AsyncStream<CartState>) {
  ///     cart = states.observe(on: self) { badge, state in badge.count = state.cart.itemCount }
  ///   }
  /// }
  /// ```
  public func observe<Owner: Actor>(
    on owner: Owner, _ body: @escaping @Sendable (isolated Owner, Element) async -> Void
  ) -> CancellationToken {
    let entry = LiveObjectToken(.task, "observe on \(Owner.self)")
    let task = Task { [weak owner] in
      defer { entry.end() }
      for await element in self {
        guard let owner else { return }
        await call(body, on: owner, with: element)
        if Task.isCancelled { return }
      }
    }
    return CancellationToken(onCancel: task.cancel)
  }

  /// Runs `body` on the main actor for each element, with an owner that lives there: a view controller, a view's model.
  ///
  /// The promises are those of the form for actors.
  ///
  /// ```swift
  /// final class CartController: UIViewController {
  ///   private var observation: CancellationToken?
  ///
  ///   func show(_ cart: CartViewModel) {
  ///     observation = cart.states().observe(on: self) { screen, state in screen.title = "\(state.cart.itemCount)" }
  ///   }
  /// }
  /// ```
  @MainActor
  public func observe<Owner: AnyObject>(
    on owner: Owner, _ body: @escaping @MainActor (Owner, Element) async -> Void
  ) -> CancellationToken {
    let entry = LiveObjectToken(.task, "observe on \(Owner.self)")
    let task = Task { @MainActor [weak owner] in
      defer { entry.end() }
      for await element in self {
        guard let owner, !Task.isCancelled else { return }
        await body(owner, element)
      }
    }
    return CancellationToken(onCancel: task.cancel)
  }
}

private func call<Owner: Actor, Element>(
  _ body: (isolated Owner, Element) async -> Void, on owner: isolated Owner, with element: Element
) async {
  if !Task.isCancelled { await body(owner, element) }
}
