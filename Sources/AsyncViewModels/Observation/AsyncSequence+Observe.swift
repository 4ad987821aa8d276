extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Runs `body` on `owner` for each element, without keeping `owner` alive.
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
  ///
  /// Store the token in `owner`, so that the observation ends with `owner`. A new task reads the
  /// sequence:
  ///
  /// | event | effect |
  /// | --- | --- |
  /// | an element arrives | `body` runs on `owner`. The next element is requested after `body` has returned, so a stream of states continues with the latest state. |
  /// | the token is cancelled in the owner's isolation | `body` does not start again. |
  /// | the token is cancelled elsewhere | A call that is about to begin can still run. |
  /// | `owner` is deallocated before the token | The task ends at the next element. |
  /// | the task ends | The stream ends for its other readers, too, even behind sequences such as `filter` and `debounced`. |
  /// | a kept event was read, but not passed to `body` | It returns to its channel. See ``EventChannel/keepForFirstObserver(_:)``. |
  ///
  /// If a newer element must replace the work for an older one, such as a search, `body` starts the
  /// work and returns: `_ = model.slot.start(on: model) { … } commit: { … }`.
  ///
  /// - Ownership: `body` receives the owner and must not capture it. Its other captures are kept
  ///   until the task ends.
  public func observe<Owner: Actor>(
    on owner: Owner, _ body: @escaping @Sendable (isolated Owner, Element) async -> Void
  ) -> CancellationToken {
    start(on: owner, body, nil)
  }

  /// Runs `body` on the main actor for each element, without keeping `owner` alive.
  ///
  /// ```swift
  /// final class PostsController: UIViewController {
  ///   private var observation: CancellationToken?
  ///
  ///   func show(_ posts: PostsViewModel) {
  ///     observation = posts.events().observe(on: self) { screen, event in
  ///       await screen.present(event)
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// The guarantees are those of the overload for actors. To show the state of a view model, use
  /// `observe(on:pacing:_:)`: it needs less memory, because no task waits for changes.
  @MainActor
  public func observe<Owner: AnyObject>(
    on owner: Owner, _ body: @escaping @MainActor (Owner, Element) async -> Void
  ) -> CancellationToken {
    observe(on: owner, body, completion: { _, _ in })
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Runs `body` on `owner` for each element, then `completion` with the result of the sequence,
  /// without keeping `owner` alive.
  ///
  /// Use this overload for a sequence that can throw, such as the messages of a web socket.
  ///
  /// ```swift
  /// actor Chat {
  ///   private var connection: CancellationToken?
  ///
  ///   func connect(to room: Room) {
  ///     connection = room.messages().observe(on: self) { chat, message in
  ///       chat.show(message)
  ///     } completion: { chat, result in
  ///       chat.close(result)
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// All guarantees of the overload without a completion apply to `body` and `completion`.
  public func observe<Owner: Actor>(
    on owner: Owner, _ body: @escaping @Sendable (isolated Owner, Element) async -> Void,
    completion: @escaping @Sendable (isolated Owner, Result<Void, Failure>) async -> Void
  ) -> CancellationToken {
    start(on: owner, body, completion)
  }

  /// - Parameter completion: `nil` spares the owner an empty job.
  fileprivate func start<Owner: Actor>(
    on owner: Owner, _ body: @escaping @Sendable (isolated Owner, Element) async -> Void,
    _ completion: (@Sendable (isolated Owner, Result<Void, Failure>) async -> Void)?
  ) -> CancellationToken {
    let observing = ObservingTask(on: Owner.self)
    return observing.start(
      Task { [weak owner] in
        defer { observing.finish() }
        let result = await forEachElement { await owner?.call(body, with: $0) ?? false }
        if let result, let completion { _ = await owner?.call(completion, with: result) }
      })
  }

  /// Runs `body` on the main actor for each element, then `completion` with the result of the
  /// sequence, without keeping `owner` alive.
  ///
  /// The guarantees are those of the overload for actors.
  @MainActor
  public func observe<Owner: AnyObject>(
    on owner: Owner, _ body: @escaping @MainActor (Owner, Element) async -> Void,
    completion: @escaping @MainActor (Owner, Result<Void, Failure>) async -> Void
  ) -> CancellationToken {
    let observing = ObservingTask(on: Owner.self)
    return observing.start(
      Task { @MainActor [weak owner] in
        defer { observing.finish() }
        let result = await forEachElement { await call(body, on: owner, with: $0) }
        if let result { _ = await call(completion, on: owner, with: result) }
      })
  }
}

extension AsyncSequence {
  /// Runs `body` for each element, until `body` returns `false` or the task is cancelled.
  ///
  /// `body` returns whether it has used the element. An unused kept event is returned to its
  /// channel. Returns the result of the sequence, or `nil` if the loop ended before the sequence.
  /// In that case, this method cancels the current task, and leaves the streams that the sequence
  /// reads from.
  @usableFromInline
  package nonisolated(nonsending) func forEachElement(
    _ body: (Element) async -> Bool
  ) async -> Result<Void, Failure>? {
    let handover = EventHandover()
    var iterator = makeAsyncIterator()
    do throws(Failure) {
      while let element = try await handover.next(&iterator) {
        let isUsed = await body(element)
        if !isUsed { handover.giveBack() }
        guard isUsed, !Task.isCancelled else {
          unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
          await iterator.noticeCancellation()
          return nil
        }
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }
}

extension Actor {
  /// Calls `body`, unless the task is cancelled. Returns whether it has called `body`.
  fileprivate func call<Value: Sendable>(
    _ body: @Sendable (isolated Self, Value) async -> Void, with value: Value
  ) async -> Bool {
    guard !Task.isCancelled else { return false }
    await body(self, value)
    return true
  }
}

/// Calls `body`, unless the owner is gone or the task is cancelled. Returns whether it has called
/// `body`.
@MainActor
private func call<Owner: AnyObject, Value: Sendable>(
  _ body: @MainActor (Owner, Value) async -> Void, on owner: Owner?, with value: Value
) async -> Bool {
  guard let owner, !Task.isCancelled else { return false }
  await body(owner, value)
  return true
}
