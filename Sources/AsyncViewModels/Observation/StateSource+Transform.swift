import Synchronization

extension StateSource {
  /// Passes each element of a sequence to an intent, and returns a stream of the states.
  ///
  /// ```swift
  /// let states = search.transform(input: textField.queries()) { search, query in
  ///   search.setQuery(query)
  /// }
  /// for await state in states { show(state.results) }
  /// ```
  ///
  /// - Isolation: A separate task reads the input, on no actor. An isolated intent runs on its actor.
  /// - Ordering: The intent receives one element at a time, in order. The next element follows after the
  ///   intent has returned. If a newer element must replace a load, start the load in its own task.
  /// - Ending: The states end with the view model. If the input ends, the states continue.
  /// - Cancellation: When the stream of states is cancelled or released, the task that reads the input is
  ///   cancelled, together with a running intent.
  /// - Ownership: The stream does not keep the view model alive. The task that reads the input keeps it alive
  ///   only while an intent runs.
  public nonisolated func transform<Input: AsyncSequence & Sendable>(
    input: Input, _ intent: @escaping @Sendable (Self, Input.Element) async -> Void
  ) -> AsyncStream<State> where Input.Element: Sendable, Input.Failure == Never {
    let states = LatestValueSubscription(of: store.storage)
    let liveObject = LiveObjectToken(.task, "transform of \(Self.self)")
    let reading = Task { [weak self] in
      defer { liveObject.end() }
      for await element in input {
        guard let self, !Task.isCancelled else { return }
        await intent(self, element)
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
