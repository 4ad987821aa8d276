import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

/// Many small histories of concurrent calls, each of which must have an equivalent sequential order.
///
/// The tested code does not suspend while it changes an object. So its steps interleave only on real threads.
@Suite("Observation: linearizability", .serialized, .timeLimit(.minutes(5)), .endsWaits)
struct ObservationLinearizabilityTests {
  @Test("concurrent calls to a state and to observers that buffer the latest value are linearizable")
  func latest() async {
    await checkState([.latest])
  }

  @Test("concurrent calls to a state and to observers with every buffering policy are linearizable")
  func everyPolicy() async {
    await checkState(Self.kinds)
  }

  @Test("concurrent calls to an event channel and to its observers are linearizable")
  func channel() async {
    for seed in Self.seeds {
      let program = ObservationProgram(
        seed: seed, bufferings: Self.kinds,
        calls: [{ .send($0) }, { .send($0) }, { .keep($0) }, { .keep($0) }, { _ in .keptCount }])
      let recorder = HistoryRecorder<ChannelSpecification>(.channel(EventChannel()))
      guard await holds(recorder.record(program), from: ChannelSpecification(), seed) else { return }
    }
  }

  private static let kinds: [BufferingPolicy] = [
    .latest, .bounded(1), .bounded(2), .unbounded,
  ]

  /// Each test checks one history for each seed. All seeds of a test take about a second.
  private static let seeds: Range<UInt64> = 0..<3_000

  private func checkState(_ bufferings: [BufferingPolicy]) async {
    for seed in Self.seeds {
      let program = ObservationProgram(
        seed: seed, bufferings: bufferings,
        calls: [{ .send($0) }, { .send($0) }, { .exchange($0) }, { _ in .value }])
      let recorder = HistoryRecorder<StateSpecification>(.state(StateStore(0)))
      guard await holds(recorder.record(program), from: StateSpecification(0), seed) else { return }
    }
  }

  private func holds<Specification: SequentialSpecification>(
    _ history: CallHistory<Specification>, from initial: Specification, _ seed: UInt64
  ) -> Bool {
    if history.linearization(from: initial) != nil { return true }
    Issue.record("seed \(seed): no order explains the history\n\(history)")
    return false
  }
}
