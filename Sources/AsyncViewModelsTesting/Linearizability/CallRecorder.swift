import Synchronization

/// Records the calls that several parties make to one object, to check that the object is
/// linearizable.
///
/// ```swift
/// try await simulate(seeds: 1...2_000, interruptions: .atLocks) { world in
///   let (counter, recorder) = (LockedCounter(), CallRecorder<Counter>())
///   for party in 1...2 {
///     world.spawn("party \(party)") {
///       recorder.record(.increment, by: party) { counter.increment() }
///     }
///   }
///   await world.settle()
///   try recorder.history.check(from: Counter())
/// }
/// ```
///
/// - Isolation: None. Any thread may record calls. The calls of one party must not overlap.
public final class CallRecorder<Specification: SequentialSpecification>: Sendable {
  private let time = Atomic(0)
  private let calls = Mutex<[CallHistory<Specification>.Recorded]>([])

  /// Creates a recorder without calls.
  public init() {}

  /// The calls that have ended.
  public var history: CallHistory<Specification> { CallHistory(calls.withLock(\.self)) }

  /// Makes a call, and records its response. Does not record a call that throws.
  @discardableResult
  public func record<Failure: Error>(
    _ operation: Specification.Operation, by party: Int,
    _ call: () throws(Failure) -> Specification.Response
  ) throws(Failure) -> Specification.Response {
    let begin = tick()
    let response = try call()
    append(operation, by: party, response, from: begin)
    return response
  }

  /// Makes a call that may suspend, and records its response. Does not record a call that throws.
  ///
  /// - Isolation: The call runs with the isolation of the caller.
  @discardableResult
  public nonisolated(nonsending) func record<Failure: Error>(
    _ operation: Specification.Operation, by party: Int,
    _ call: nonisolated(nonsending) () async throws(Failure) -> Specification.Response
  ) async throws(Failure) -> Specification.Response {
    let begin = tick()
    let response = try await call()
    append(operation, by: party, response, from: begin)
    return response
  }

  private func append(
    _ operation: Specification.Operation, by party: Int, _ response: Specification.Response, from begin: Int
  ) {
    let call = RecordedCall(party: party, operation: operation, response: response, begin: begin, end: tick())
    calls.withLock { $0.append(call) }
  }

  private func tick() -> Int { time.add(1, ordering: .sequentiallyConsistent).oldValue }
}
