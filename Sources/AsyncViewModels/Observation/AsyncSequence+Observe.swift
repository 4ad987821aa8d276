extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Runs `body` on `owner` for each element, without keeping `owner` alive.
  ///
  /// A new task reads the sequence until the sequence ends, or until the returned token is cancelled or
  /// released. Store the token in `owner`, so that the task ends when `owner` is deallocated. If the token
  /// outlives `owner`, the task ends at the next element. The end of the task also ends a stream for its other readers,
  /// even if the task has read it through sequences such as `filter` and `debounced`.
  ///
  /// - Isolation: `body` runs on `owner`, one element at a time, in order. The next element is requested after
  ///   `body` has returned. A stream of states then continues with the latest state.
  ///   If a newer element must replace the work for an older one, such as a search, `body` must start the work and
  ///   return: `_ = model.slot.start(on: model) { … } commit: { … }`. A `body` that awaits the work, for example
  ///   with `TaskSlot.run`, receives the newer element only when the older work is over.
  /// - Cancellation: After the token is cancelled in the owner's isolation, `body` does not start again. If the
  ///   token is cancelled outside the owner's isolation, a call that is about to begin can still run.
  ///   If an event of ``EventChannel/keepForFirstObserver(_:)`` was read, but `body` does not run any more, the
  ///   event returns to its channel.
  /// - Ownership: `body` receives the owner and must not capture it. The other captures of `body` are kept
  ///   until the task ends.
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
    let liveObject = LiveObjectToken(.task, "observe on \(Owner.self)")
    let observing = ObservingTask()
    let task = Task { [weak owner] in
      defer {
        liveObject.end()
        observing.finish()
      }
      _ = await forEachElement { element in
        guard let owner else { return false }
        return await call(body, on: owner, with: element)
      }
    }
    observing.start(task)
    return CancellationToken(observing)
  }

  /// Runs `body` on the main actor for each element, without keeping `owner` alive.
  ///
  /// Use this overload for an owner on the main actor, such as a view controller. `body` runs on the main
  /// actor. All other guarantees are those of the overload for actors.
  ///
  /// To show the state of a view model, use `observe(on:pacing:_:)`, which needs less memory, because no
  /// task waits for changes.
  ///
  /// ```swift
  /// final class PostsController: UIViewController {
  ///   private var observation: CancellationToken?
  ///
  ///   func show(_ posts: PostsViewModel) {
  ///     observation = posts.events().observe(on: self) { screen, event in await screen.present(event) }
  ///   }
  /// }
  /// ```
  @MainActor
  public func observe<Owner: AnyObject>(
    on owner: Owner, _ body: @escaping @MainActor (Owner, Element) async -> Void
  ) -> CancellationToken {
    let liveObject = LiveObjectToken(.task, "observe on \(Owner.self)")
    let observing = ObservingTask()
    let task = Task { @MainActor [weak owner] in
      defer {
        liveObject.end()
        observing.finish()
      }
      _ = await forEachElement { element in
        guard let owner, !Task.isCancelled else { return false }
        await body(owner, element)
        return true
      }
    }
    observing.start(task)
    return CancellationToken(observing)
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Runs `body` on `owner` for each element, then `completion` with the result of the sequence, without
  /// keeping `owner` alive.
  ///
  /// Use this overload for a sequence that can throw, such as the messages of a web socket.
  ///
  /// A new task reads the sequence until the sequence ends, or until the returned token is cancelled or
  /// released. Store the token in `owner`, so that the task ends when `owner` is deallocated. If the token
  /// outlives `owner`, the task ends at the next element. The end of the task also ends a stream for its other readers,
  /// even if the task has read it through sequences such as `filter` and `debounced`.
  ///
  /// - Isolation: `body` and `completion` run on `owner`, one at a time, in order. The next element is
  ///   requested after `body` has returned.
  /// - Cancellation: After the token is cancelled in the owner's isolation, neither `body` nor `completion`
  ///   starts. If the token is cancelled outside the owner's isolation, a call that is about to begin can still
  ///   run. If an event of ``EventChannel/keepForFirstObserver(_:)`` was read, but `body` does not run any more,
  ///   the event returns to its channel.
  /// - Ownership: `body` and `completion` receive the owner and must not capture it. Their other captures are
  ///   kept until the task ends.
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
  public func observe<Owner: Actor>(
    on owner: Owner, _ body: @escaping @Sendable (isolated Owner, Element) async -> Void,
    completion: @escaping @Sendable (isolated Owner, Result<Void, Failure>) async -> Void
  ) -> CancellationToken {
    let liveObject = LiveObjectToken(.task, "observe on \(Owner.self)")
    let observing = ObservingTask()
    let task = Task { [weak owner] in
      defer {
        liveObject.end()
        observing.finish()
      }
      let result = await forEachElement { element in
        guard let owner else { return false }
        return await call(body, on: owner, with: element)
      }
      if let result, let owner { _ = await call(completion, on: owner, with: result) }
    }
    observing.start(task)
    return CancellationToken(observing)
  }

  /// Runs `body` on the main actor for each element, then `completion` with the result of the sequence,
  /// without keeping `owner` alive.
  ///
  /// Use this overload for an owner on the main actor, such as a view controller. `body` and `completion` run
  /// on the main actor. All other guarantees are those of the overload for actors.
  @MainActor
  public func observe<Owner: AnyObject>(
    on owner: Owner, _ body: @escaping @MainActor (Owner, Element) async -> Void,
    completion: @escaping @MainActor (Owner, Result<Void, Failure>) async -> Void
  ) -> CancellationToken {
    let liveObject = LiveObjectToken(.task, "observe on \(Owner.self)")
    let observing = ObservingTask()
    let task = Task { @MainActor [weak owner] in
      defer {
        liveObject.end()
        observing.finish()
      }
      let result = await forEachElement { element in
        guard let owner, !Task.isCancelled else { return false }
        await body(owner, element)
        return true
      }
      if let result, let owner, !Task.isCancelled { await completion(owner, result) }
    }
    observing.start(task)
    return CancellationToken(observing)
  }
}

extension AsyncSequence {
  /// Runs `body` for each element, until `body` returns `false` or the task is cancelled.
  ///
  /// `body` returns whether it has used the element. An unused kept event is returned to its channel. Returns the
  /// result of the sequence, or `nil` if the loop ended before the sequence. In that case, this method cancels the
  /// current task, and leaves the streams that the sequence reads from.
  nonisolated(nonsending) func forEachElement(
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

/// Runs `body` unless the task is cancelled, and returns whether `body` has run.
private func call<Owner: Actor, Element>(
  _ body: (isolated Owner, Element) async -> Void, on owner: isolated Owner, with element: Element
) async -> Bool {
  guard !Task.isCancelled else { return false }
  await body(owner, element)
  return true
}
