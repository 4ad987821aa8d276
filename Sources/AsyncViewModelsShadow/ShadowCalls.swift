public import AsyncViewModels
import Dispatch
public import Foundation
import Synchronization

/// The service calls of an old and a new view model, of which only the old ones reach the service.
///
/// The service of the old view model records each call. The service of the new view model replays
/// it: the call waits for the recorded answer, and never reaches the network. So each write is sent
/// once, and both view models read the same answers.
///
/// ```swift
/// struct OldOrders: LegacyOrders {
///   let base: any LegacyOrders
///   let calls: ShadowCalls
///   func orders(completion: @escaping Completion) -> CancellationToken {
///     calls.record("orders", completion: completion) { base.orders(completion: $0) }
///   }
/// }
/// struct NewOrders: Orders {
///   let calls: ShadowCalls
///   func orders() async throws -> [String] { try await calls.replay("orders") }
/// }
/// ```
///
/// A request is any hashable value with the operation and its arguments. Leave out what two equal
/// calls do not share, such as an idempotency key.
///
/// | Topic | Guarantee |
/// | --- | --- |
/// | Old calls | Go to the service with the same arguments, result, thread and cancellation as without recording. |
/// | Answers | The answer to the n-th old call with a request goes to the n-th new call with an equal request, errors included. |
/// | Cancelled old call | Its answer is not replayed. Its counterpart waits until it is cancelled, too, or for the next equal call. |
/// | Cancelled new call | Ends with `CancellationError`. The old call continues. |
/// | Call of only one side | A difference, unless the call was cancelled. |
/// | End | After a difference, and when the comparison is released, new calls throw ``ShadowCallError`` and old calls go to the service directly. |
///
/// Let both view models read the same store or stream of pushed updates: this type replays calls
/// with one answer only.
///
/// - Isolation: None. No lock is held while a service, a completion handler or a `deinit` runs.
/// - Complexity: A call takes one lock, and O(n) in the number of calls without a counterpart. At
///   most `limit` answers and waiting calls are kept. One more is a difference.
public final class ShadowCalls: Sendable {
  let ledger: Mutex<ShadowLedger>

  /// The version of the ledger. Finishes when the comparison ends.
  let activity = StateStore(0)

  /// Runs the completion handlers of the new view model, so that they never delay the old one.
  private let queue = DispatchQueue(label: "ShadowCalls")

  /// Creates calls for one comparison.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether calls are recorded. By default, in debug builds only.
  ///   - limit: How many answers and waiting calls without a counterpart, how many uncompared
  ///     events and unended intents, and how many steps of the trace are kept.
  /// - Precondition: `limit` is positive.
  public init(isEnabled: Bool = isDebugBuild, limit: Int = 100) {
    precondition(limit > 0, "ShadowCalls: the limit must be positive, but is \(limit)")
    ledger = Mutex(ShadowLedger(limit: limit, isActive: isEnabled))
    if !isEnabled { activity.finish() }
  }

  #if DEBUG
    @usableFromInline static let isDebugBuild = true
  #else
    @usableFromInline static let isDebugBuild = false
  #endif

  /// Whether calls are recorded: not if this object was created as disabled, and not after the end
  /// of the comparison.
  public var isRecording: Bool { ledger.withLock { $0.isActive } }

  // MARK: The old view model

  /// Performs a call of the old view model, and records its answer.
  ///
  /// A task that is already cancelled performs the call without recording it.
  ///
  /// - Throws: The error of `call`.
  public nonisolated(nonsending) func record<Response: Sendable>(
    _ request: some Hashable & Sendable, from call: () async throws -> Response
  ) async throws -> Response {
    let request = ShadowRequest(value: request)
    guard !Task.isCancelled, let id = update({ ($0.beginOld(request), []) }) else { return try await call() }
    let result = await Result { try await call() }
    if Task.isCancelled { cancelOld(id, request) } else { endOld(id, request, result.map { $0 }) }
    return try result.get()
  }

  /// Starts a call of the old view model, and records its answer.
  ///
  /// Cancelling or releasing the token cancels the call, as with the token of `start`.
  public func record<Response: Sendable>(
    _ request: some Hashable & Sendable,
    completion: @escaping @Sendable (Result<Response, any Error>) -> Void,
    from start: (@escaping @Sendable (Result<Response, any Error>) -> Void) -> CancellationToken
  ) -> CancellationToken {
    let request = ShadowRequest(value: request)
    guard let id = update({ ($0.beginOld(request), []) }) else { return start(completion) }
    let running = RunningCall()
    running.store(
      start { [self] result in
        endOld(id, request, result.map { $0 })
        completion(result)
        running.end()?.finish()
      })
    return CancellationToken { [self] in
      cancelOld(id, request)
      running.end()?.cancel()
    }
  }

  // MARK: The new view model

  /// Waits for the answer to the same call of the old view model.
  ///
  /// - Throws: The error of the old call, `CancellationError` if the task is cancelled, or
  ///   ``ShadowCallError``.
  public nonisolated(nonsending) func replay<Response: Sendable>(
    _ request: some Hashable & Sendable, as type: Response.Type = Response.self
  ) async throws -> Response {
    try await withCompletionHandler { wait(for: ShadowRequest(value: request), $0) }
  }

  /// Calls back with the answer to the same call of the old view model, on a queue of this object.
  ///
  /// Cancelling or releasing the token calls back with `CancellationError`. See ``replay(_:as:)``.
  public func replay<Response: Sendable>(
    _ request: some Hashable & Sendable,
    completion: @escaping @Sendable (Result<Response, any Error>) -> Void
  ) -> CancellationToken {
    wait(for: ShadowRequest(value: request)) { [queue] result in queue.async { completion(result) } }
  }

  private func wait<Response: Sendable>(
    for request: ShadowRequest, _ completion: @escaping @Sendable (Result<Response, any Error>) -> Void
  ) -> CancellationToken {
    let receive: ShadowLedger.Receive = { answer in
      completion(
        answer.flatMap { value in
          (value as? Response).map { .success($0) }
            ?? .failure(
              ShadowCallError.unexpectedResponse("\(type(of: value))", expected: "\(Response.self)"))
        })
    }
    let id = update { ledger -> (Int?, [ShadowLedger.Delivery]) in
      ledger.beginNew(request, receive).map { ($0, $1) } ?? (nil, [])
    }
    guard let id else {
      receive(.failure(ShadowCallError.comparisonEnded))
      return .finished
    }
    return CancellationToken { [self] in
      update { $0.cancelNew(id, request) }?(.failure(CancellationError()))
    }
  }

  // MARK: The ledger

  /// Ends the comparison. Waiting calls of the new view model fail.
  func stop() { update { ($0.stop(), []) } }

  private func endOld(_ id: Int, _ request: ShadowRequest, _ answer: ShadowLedger.Answer) {
    update { ((), $0.endOld(id, request, answer)) }
  }

  private func cancelOld(_ id: Int, _ request: ShadowRequest) {
    update { ((), $0.cancelOld(id, request)) }
  }

  /// Changes the ledger under the lock, and acts after the unlock.
  @discardableResult
  func update<Output: Sendable>(
    _ change: (inout ShadowLedger) -> (Output, [ShadowLedger.Delivery])
  ) -> Output {
    let (output, deliveries, rejected, released, version, isActive) = ledger.withLock { ledger in
      let wasActive = ledger.isActive
      let (output, deliveries) = change(&ledger)
      let rejected = wasActive && !ledger.isActive ? ledger.drain() : []
      return (output, deliveries, rejected, ledger.takeReleased(), ledger.version, ledger.isActive)
    }
    withExtendedLifetime(released) {}
    for delivery in deliveries { delivery.receive(delivery.answer) }
    for receive in rejected { receive(.failure(ShadowCallError.comparisonEnded)) }
    activity.update { $0 = max($0, version) }
    if !isActive { activity.finish() }
    return output
  }
}

/// The error of a call that only the new view model makes or expects.
public enum ShadowCallError: Error, Equatable {
  /// The comparison has ended, or is disabled. A call that only the new view model has made ends
  /// with this error, too, when the difference is found.
  case comparisonEnded

  /// The old call has a response of another type.
  case unexpectedResponse(String, expected: String)
}

extension ShadowCallError: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .comparisonEnded: "The comparison has ended, so no old call answers this one."
    case .unexpectedResponse(let type, let expected):
      "The old call has a response of type \(type), not \(expected)."
    }
  }

  public var errorDescription: String? { description }
}

/// The token of a call, until the call ends.
private final class RunningCall: Sendable {
  private let state = Mutex<(token: CancellationToken?, hasEnded: Bool)>((nil, false))

  /// Stores the token. A service can complete the call before it returns the token.
  func store(_ token: CancellationToken) {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.token = token }
      return state.hasEnded
    }
    if hasEnded { token.finish() }
  }

  func end() -> CancellationToken? {
    state.take { state in
      state.hasEnded = true
      return state.token.take()
    }
  }
}
