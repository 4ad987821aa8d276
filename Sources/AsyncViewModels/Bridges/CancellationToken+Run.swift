public import Dispatch
public import Synchronization

extension CancellationToken {
  /// Runs async work and passes its result to a completion handler.
  ///
  /// Use this function to keep an interface with completion handlers after its implementation has
  /// become async:
  ///
  /// ```swift
  /// func orders(
  ///   completion: @escaping @Sendable (Result<[Order], any Error>) -> Void
  /// ) -> CancellationToken {
  ///   .run(completion: completion) { try await service.orders() }
  /// }
  /// ```
  ///
  /// `completion` is called **exactly once**, never within this call or within `cancel()`:
  ///
  /// | event | what `completion` receives |
  /// | --- | --- |
  /// | the work ends | its value or its error |
  /// | the token is cancelled or released | `CancellationError` at once; a later result of the work is dropped |
  ///
  /// - Isolation: `work` runs in a new task, on no actor. `completion` is called on `queue`. If
  ///   `queue` is `nil`, it is called on the thread on which the work ended or, after a
  ///   cancellation, on a global queue.
  /// - Ownership: The task retains the captures of `work` until the work ends. `completion` is
  ///   released after its call.
  /// - Complexity: One task, and at most one block on a queue.
  @export(implementation)
  public static func run<Value: Sendable>(
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void, on queue: DispatchQueue? = nil,
    _ work: @escaping @Sendable () async throws -> Value
  ) -> CancellationToken {
    let completion = OneTimeCompletion(completion)
    let liveObject = LiveObjectToken(.task, "CancellationToken.run")
    let task = Task {
      defer { liveObject.end() }
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      completion.call(with: result, on: queue)
    }
    return CancellationToken {
      // Called before the task is cancelled. Otherwise, the work could react to the cancellation
      // and deliver its result first.
      completion.call(with: .failure(CancellationError()), on: queue ?? .global())
      task.cancel()
    }
  }
}

/// A completion handler that is called at most once.
@usableFromInline
final class OneTimeCompletion<Value: Sendable>: Sendable {
  @usableFromInline typealias Completion = @Sendable (Result<Value, any Error>) -> Void

  @usableFromInline let completion: Mutex<Completion?>

  @export(implementation)
  init(_ completion: @escaping Completion) { self.completion = Mutex(completion) }

  @export(implementation)
  func call(with result: Result<Value, any Error>, on queue: DispatchQueue?) {
    guard let completion = completion.take() else { return }
    guard let queue else { return completion(result) }
    queue.async { completion(result) }
  }
}
