import Synchronization

extension StateSource {
  /// Passes each element of a sequence to `intent`, which changes the view model. Returns a stream of the view
  /// model's states.
  ///
  /// ```swift
  /// let states = search.transform(input: textField.queries()) { search, query in
  ///   search.setQuery(query)
  /// }
  /// for await state in states { show(state.results) }
  /// ```
  ///
  /// - Isolation: A separate task reads the input and runs `intent`, on no actor. Isolated methods that
  ///   `intent` calls run on their actor.
  /// - Ordering: `intent` receives one element at a time, in order. The next element is read after `intent` has
  ///   returned. If a newer element must replace a load, start the load in a separate task, for example with a
  ///   ``TaskSlot``.
  /// - Ending: The stream of states ends when the view model is deallocated or its state is finished. If the
  ///   input ends, the stream continues.
  /// - Cancellation: When the stream of states ends or is released, or its reading task is cancelled, the task
  ///   that reads the input and runs `intent` is cancelled. The end of that task also ends a stream that is the input, even
  ///   if it is kept elsewhere. If the view model is deallocated, the task ends at the next element at the latest.
  /// - Ownership: The stream does not keep the view model alive. The task that reads the input keeps the view
  ///   model alive only while `intent` runs.
  public nonisolated func transform<Input: AsyncSequence & Sendable>(
    input: Input, _ intent: @escaping @Sendable (Self, Input.Element) async -> Void
  ) -> AsyncStream<State> where Input.Element: Sendable, Input.Failure == Never {
    let states = LatestValueSubscription(of: store.storage)
    let liveObject = LiveObjectToken(.task, "transform of \(Self.self)")
    let reading = Task { [weak self] in
      defer { liveObject.end() }
      _ = await input.forEachElement { element in
        guard let self, !Task.isCancelled else { return false }
        await intent(self, element)
        return true
      }
    }
    let token = CancellationToken(onCancel: reading.cancel)
    return AsyncStream {
      let state = await states.next(isolation: nil)
      if state == nil { token.cancel() }
      return state
    } onCancel: {
      states.leave()
      token.cancel()
    }
  }
}
