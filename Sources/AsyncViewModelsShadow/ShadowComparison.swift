import AsyncViewModels
import Synchronization

/// Runs a new view model in the shadow of the old one in a running app, and reports their first
/// difference.
///
/// The screen shows the old view model. The new one receives the same intents and the same answers,
/// and sends nothing:
///
/// ```swift
/// let calls = ShadowCalls()
/// let old = OrdersModel(service: OldOrders(base: service, calls: calls))
/// let comparison = ShadowComparison(
///   old: old, state: { Shown($0.state) },
///   new: OrdersViewModel(service: NewOrders(calls: calls)), state: { Shown($0.state) },
///   calls: calls
/// ) { difference in logger.error("\(difference)") }
///
/// comparison.perform("reload") { $0.load() } new: { await $0.load() }
/// ```
///
/// | Topic | Guarantee |
/// | --- | --- |
/// | Old view model | Receives each intent first, on the caller's thread. It is read, but not observed. Its result and errors go to the caller. |
/// | New view model | Is created only if `calls` records. Its results and errors are ignored. |
/// | When states are compared | When no call and no intent is open and nothing has happened for `settling`. Short-lived differences do not count. |
/// | Report | The first difference, once. The comparison then ends, and releases the new view model. |
/// | Release | Ends the comparison without a report. |
/// | Release builds | Only the old view model runs, unless `calls` is enabled explicitly. |
///
/// A new view model that is slow or never ends an intent is not compared: see ``comparedCount``.
///
/// - Isolation: The main actor. The synchronous part of an intent of the new view model runs there,
///   after the caller's current turn.
/// - Ownership: Keeps both view models. They do not keep the comparison.
/// - Complexity: An intent costs two reads of a state and a task. A comparison costs one `==`.
@MainActor
public final class ShadowComparison<Old, New, State: Equatable & Sendable> {
  private let old: Old
  private let oldState: @MainActor (Old) -> State
  private var new: New?
  private let newState: @MainActor (New) -> State
  private let calls: ShadowCalls
  private let report: @MainActor (ShadowDifference) -> Void
  private var observation: CancellationToken?

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - old: The view model that the screen shows. Its service records in `calls`.
  ///   - oldState: What the screen shows of the old view model. Leave out what may differ, such as
  ///     the text of an error.
  ///   - new: Creates the view model to compare. Its service replays from `calls`.
  ///   - newState: What the screen would show of the new view model.
  ///   - calls: The calls of both view models. Use one object for one comparison.
  ///   - settling: How long both view models have to be quiet. It has to be longer than the pauses
  ///     of the view models, such as a debounce, and than their work after an answer.
  ///   - clock: Measures `settling`.
  ///   - report: Receives the first difference.
  public init(
    old: Old, state oldState: @escaping @MainActor (Old) -> State,
    new: @autoclosure () -> New, state newState: @escaping @MainActor (New) -> State,
    calls: ShadowCalls, settling: Duration = .seconds(1), clock: any Clock<Duration> = ContinuousClock(),
    onDifference report: @escaping @MainActor (ShadowDifference) -> Void
  ) {
    (self.old, self.oldState, self.newState) = (old, oldState, newState)
    (self.calls, self.report) = (calls, report)
    guard calls.isRecording else { return }
    self.new = new()
    observation = calls.activity.values().debounced(for: settling, clock: clock)
      .observe(on: self) { comparison, version in comparison.compare(at: version) }
  }

  deinit { calls.stop() }

  /// How many times the view models were compared and found equal.
  ///
  /// If the count does not grow, the view models are never quiet, and nothing is checked.
  public var comparedCount: Int { calls.ledger.withLock { $0.comparedCount } }

  /// Performs an intent of the old view model, and then of the new one.
  ///
  /// - Parameters:
  ///   - intent: The intent's name in the trace.
  ///   - old: Performs the intent of the old view model.
  ///   - new: Performs the intent of the new view model, and returns when the intent has ended.
  /// - Returns: The result of `old`.
  /// - Throws: The error of `old`.
  @discardableResult
  public func perform<Output, Failure: Error>(
    _ intent: String, old: (Old) throws(Failure) -> Output,
    new: @escaping @MainActor (New) async throws -> Void
  ) throws(Failure) -> Output {
    begin(intent)
    defer { perform(new) }
    return try old(self.old)
  }

  /// Performs an intent of the old view model and, while it waits, of the new one.
  ///
  /// View models are compared only after `old` has ended, too. So use this method if the intent of
  /// the old view model has an end that can be awaited.
  ///
  /// - Returns: The result of `old`.
  /// - Throws: The error of `old`.
  @discardableResult
  public func perform<Output, Failure: Error>(
    _ intent: String, old: @MainActor (Old) async throws(Failure) -> Output,
    new: @escaping @MainActor (New) async throws -> Void
  ) async throws(Failure) -> Output {
    begin(intent)
    calls.update { ($0.changeOpenIntents(of: .old, by: 1), []) }
    defer { calls.update { ($0.changeOpenIntents(of: .old, by: -1), []) } }
    perform(new)
    return try await old(self.old)
  }

  /// Notes an event of the old view model, such as an alert or a navigation. The events of both
  /// view models are compared in their order.
  public func note(oldEvent event: some Equatable & Sendable) {
    calls.update { ($0.add(event, from: .old), []) }
  }

  /// Notes an event of the new view model, which must not be shown.
  public func note(newEvent event: some Equatable & Sendable) {
    calls.update { ($0.add(event, from: .new), []) }
  }

  private func begin(_ intent: String) {
    guard let new else { return }
    let states = (old: oldState(old), new: newState(new))
    calls.update { ($0.begin(intent, old: states.old, new: states.new), []) }
  }

  private func perform(_ intent: @escaping @MainActor (New) async throws -> Void) {
    guard let new else { return }
    Task { [calls] in
      try? await intent(new)
      calls.update { ($0.changeOpenIntents(of: .new, by: -1), []) }
    }
  }

  private func compare(at version: Int) {
    guard let new else { return }
    if calls.ledger.withLock({ $0.isQuiet(at: version) }) {
      let states = (old: oldState(old), new: newState(new))
      let areEqual = states.old == states.new
      calls.update { ledger in
        // Something can have happened while the states were read.
        if ledger.isQuiet(at: version) {
          ledger.compare(old: states.old, new: states.new, areEqual: areEqual)
        }
        return ((), [])
      }
    }
    if let (finding, trace) = calls.update({ ($0.takeFinding(), []) }) {
      self.new = nil
      observation = nil
      Task { [report] in report(await .describing(finding, trace)) }
    }
  }
}
