/// Runs work that must not stop halfway, such as a save, and waits for its end.
///
/// ```swift
/// nonisolated func save() async throws {
///   let draft = store.update { $0.beginSaving() }
///   try await runToCompletion { [store, service] in
///     do {
///       try await service.save(draft)
///       store.update { $0.confirm(draft) }
///     } catch {
///       store.update { $0.rollBack(draft) }
///       throw error
///     }
///   }
/// }
/// ```
///
/// Capture the state that the work changes, and not the view model: the work then keeps only the
/// state alive. For a service with completion handlers, use `runToCompletion(_:completion:)` of
/// `AsyncViewModelsGCD`.
///
/// - Isolation: `work` runs in a new task, on no actor. The call returns or throws on the caller's
///   actor.
/// - Cancellation: Ignored, by the work and by the wait for its end.
/// - Throws: The error that `work` throws.
/// - Complexity: One task.
public nonisolated(nonsending) func runToCompletion<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let liveObject = LiveObjectToken(.task, "runToCompletion")
  let task = Task {
    defer { liveObject.end() }
    return try await work()
  }
  // Not `try await task.value`: if that expression throws, an optimized build does not return to
  // the caller's actor (Swift 6.3).
  return try await task.result.get()
}

extension Result where Failure == any Error {
  /// Runs asynchronous `work` and captures its value or its error.
  ///
  /// ```swift
  /// let result = await Result { try await service.save(draft) }
  /// ```
  ///
  /// For an outcome in which a cancellation is no error, use ``TaskOutcome``.
  public nonisolated(nonsending) init(catching work: () async throws -> Success) async {
    do { self = .success(try await work()) } catch { self = .failure(error) }
  }
}
