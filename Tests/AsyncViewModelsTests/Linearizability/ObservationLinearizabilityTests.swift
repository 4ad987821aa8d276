import AsyncViewModels
import Testing

/// Many small histories of parties that call at the same time, each of which must look as if they had called one after the other.
/// The code under the locks is synchronous: only real threads interrupt it.
@Suite("Observation: linearisability", .serialized, .timeLimit(.minutes(1)))
struct ObservationLinearizabilityTests {
  @Test("a state and its observers of the latest answer as one thing at a time")
  func latest() async {
    await checkState([.latest])
  }

  @Test("a state and its observers of every kind answer as one thing at a time")
  func everyKind() async {
    await checkState(Self.kinds)
  }

  @Test("a channel and its observers answer as one thing at a time")
  func channel() async {
    for seed in Self.seeds {
      let program = ObservationProgram(
        seed: seed, bufferings: Self.kinds,
        calls: [{ .send($0) }, { .send($0) }, { .hold($0) }, { .hold($0) }, { _ in .keptCount }])
      let recorder = HistoryRecorder<ChannelSpecification>(.channel(EventChannel()))
      guard await holds(recorder.record(program), from: ChannelSpecification(), seed) else { return }
    }
  }

  private static let kinds: [BufferingPolicy] = [
    .latest, .bounded(1, dropping: .newest), .bounded(2, dropping: .oldest), .unbounded,
  ]

  /// So many histories for each test: about a second of them.
  private static let seeds: Range<UInt64> = 0..<3_000

  private func checkState(_ bufferings: [BufferingPolicy]) async {
    for seed in Self.seeds {
      let program = ObservationProgram(
        seed: seed, bufferings: bufferings,
        calls: [{ .send($0) }, { .send($0) }, { .exchange($0) }, { _ in .value }])
      let recorder = HistoryRecorder<StateSpecification>(.state(ObservableState(0)))
      guard await holds(recorder.record(program), from: StateSpecification(0), seed) else { return }
    }
  }

  private func holds<Specification: SequentialSpecification>(
    _ history: History<Specification>, from initial: Specification, _ seed: UInt64
  ) -> Bool {
    if history.linearization(from: initial) != nil { return true }
    Issue.record("no order explains this history of the program with the seed \(seed):\n\(history)")
    return false
  }
}
