extension StateSource {
  /// Runs `body` on the main actor with the current state, and then after each change with the
  /// latest state.
  ///
  /// ```swift
  /// final class CartController: UIViewController {
  ///   private var observation: CancellationToken?
  ///
  ///   func show(_ cart: CartViewModel) {
  ///     observation = cart.observe(on: self) { screen, state in
  ///       screen.title = "\(state.cart.itemCount)"
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// Use it for a screen: no task waits for changes, so it needs about as much memory as a
  /// callback. If `body` has to wait, observe `states()`, whose `observe(on:)` takes an async body.
  ///
  /// | topic | guarantee |
  /// | --- | --- |
  /// | first call | Not within `observe` itself, but in a later turn (job) of the main actor. |
  /// | slow screen | Skips to the latest state. At most one call in each turn. The last state is never lost. |
  /// | cancellation on the main actor | `body` does not run again. |
  /// | cancellation elsewhere | A call that is about to begin can still run. |
  /// | the view model ends | The observation ends after the last state. |
  /// | `owner` is deallocated | The observation ends at the next change. |
  ///
  /// - Parameters:
  ///   - owner: The object that `body` receives. The observation does not keep it alive.
  ///   - pacing: Limits the calls to one in each frame. `nil` for one call after each change. See
  ///     ``FramePacing``.
  ///   - body: Shows a state. It receives the owner, and must not capture it. It has no task-local
  ///     values.
  /// - Ownership: The token keeps neither the view model nor `owner`. The captures of `body` are
  ///   released on the thread that ends the observation, so their `deinit` must be able to run
  ///   there.
  /// - Precondition: The token is not cancelled or released within the body of an update of the
  ///   same state, even through another observation that ends there and captures the token.
  /// - Complexity: A change that finds the observer waiting starts one short task. Otherwise, a
  ///   change costs what it costs without an observer.
  @export(implementation) @MainActor
  public func observe<Owner: AnyObject>(
    on owner: Owner, pacing: FramePacing? = nil, _ body: @escaping @MainActor (Owner, State) -> Void
  ) -> CancellationToken {
    checkedStore.storage.observe(on: owner, pacing: pacing, body)
  }

  /// Runs `body` on an actor with the current state, and then after each change with the latest
  /// state.
  ///
  /// A task waits for changes, as in `states().observe(on:)`, whose body can be async. All
  /// guarantees are those of that function.
  @export(implementation)
  public nonisolated func observe<Owner: Actor>(
    on owner: Owner, pacing: FramePacing? = nil,
    _ body: @escaping @Sendable (isolated Owner, State) -> Void
  ) -> CancellationToken {
    let store = checkedStore
    return (pacing.map { store.states(pacing: $0) } ?? store.states()).observe(on: owner, body)
  }
}

extension StateStorage {
  @export(implementation) @MainActor
  package func observe<Owner: AnyObject>(
    on owner: Owner, pacing: FramePacing?, _ body: @escaping @MainActor (Owner, Value) -> Void
  ) -> CancellationToken {
    let observer =
      pacing.map { PacedMainActorObserver(of: self, on: owner, pacing: $0, body) }
      ?? MainActorObserver(of: self, on: owner, body)
    observer.enqueue()
    return CancellationToken(observer)
  }
}
