/// Runs `body` on `owner` for each element of `source`: the one loop that cannot keep its owner alive.
///
/// It ends when either side goes: with the end of `source`, when the token is cancelled, and when the owner goes away, because the
/// owner keeps the token. An owner that goes without it is noticed at the next element.
///
/// - Isolation: `body` runs on `owner`, one element at a time, in order. Where it waits, the next element waits too, and
///   a stream of state goes on with the latest.
/// - Cancellation: after a cancel from the owner's isolation, `body` is not begun again.
///
/// ```swift
/// actor Badge {
///   private var cart: CancellationToken?
///   func follow(_ states: AsyncStream<CartState>) {
///     cart = observe(states, on: self) { badge, state in badge.count = state.itemCount }
///   }
/// }
/// ```
public func observe<Owner: Actor, Source: AsyncSequence & Sendable>(
  _ source: Source, on owner: Owner,
  _ body: @escaping @Sendable (isolated Owner, Source.Element) async -> Void
) -> CancellationToken where Source.Element: Sendable, Source.Failure == Never {
  let entry = CensusEntry(.task, "observe on \(Owner.self)")
  let task = Task { [weak owner] in
    defer { entry.end() }
    for await element in source {
      guard let owner else { return }
      await deliver(element, to: owner, body)
      if Task.isCancelled { return }
    }
  }
  return CancellationToken(onCancel: task.cancel)
}

/// Runs `body` on the main actor for each element of `source`, with an owner that lives there: a view controller, a view's model.
/// The promises are those of ``observe(_:on:_:)-(_,Actor,_)``.
@MainActor
public func observe<Owner: AnyObject, Source: AsyncSequence & Sendable>(
  _ source: Source, on owner: Owner,
  _ body: @escaping @MainActor (Owner, Source.Element) async -> Void
) -> CancellationToken where Source.Element: Sendable, Source.Failure == Never {
  let entry = CensusEntry(.task, "observe on \(Owner.self)")
  let task = Task { @MainActor [weak owner] in
    defer { entry.end() }
    for await element in source {
      guard let owner, !Task.isCancelled else { return }
      await body(owner, element)
    }
  }
  return CancellationToken(onCancel: task.cancel)
}

private func deliver<Owner: Actor, Element>(
  _ element: Element, to owner: isolated Owner, _ body: (isolated Owner, Element) async -> Void
) async {
  if !Task.isCancelled { await body(owner, element) }
}
