import AsyncViewModelsSimulation
import Synchronization
import Testing

@Suite("RecordedContract", .timeLimit(.minutes(5)))
struct RecordedContractTests {
  private enum Intent { case load, cancel, reset }

  private struct Offline: Error, CustomStringConvertible { let description = "offline" }

  /// A view model over a recording, with planted differences.
  private final class Model: Sendable {
    enum Difference { case none, state, event, request, end, cancellation, restart, leave }

    private let recording: Recording
    private let difference: Difference
    private let running = Mutex<Task<Void, any Error>?>(nil)

    init(_ recording: Recording, _ difference: Difference) {
      self.recording = recording
      self.difference = difference
      let runs = recording.kept(acrossRestarts: true) { Counter() }
      let openings = recording.kept {
        runs.count.add(1, ordering: .relaxed)
        return Openings()
      }
      openings.count.add(1, ordering: .relaxed)
      recording.show([
        "value": "none",
        "runs": difference == .restart ? 1 : runs.count.load(ordering: .relaxed),
        "openings": difference == .leave ? 1 : openings.count.load(ordering: .relaxed),
      ])
    }

    func perform(_ intent: Intent) {
      switch intent {
      case .load:
        let task = Task { [recording, difference] in
          let text = difference == .request ? "values" : "value"
          do {
            let value = try await recording.request(text) { number in [.success(number), .failure(Offline())]
            }
            recording.show(["value": "skipped"])
            recording.show(["value": difference == .state ? value + 1 : value])
          } catch {
            if difference != .event { recording.event("alert: \(error)") }
            if difference != .end { throw error }
          }
        }
        running.withLock { $0 = task }
        recording.wait(for: "load") { try await task.value }
      case .cancel: if difference != .cancellation { running.withLock { $0 }?.cancel() }
      case .reset: recording.show(["value": "none"])
      }
    }

    private final class Counter: Sendable { let count = Atomic(0) }
    private final class Openings: Sendable { let count = Atomic(0) }
  }

  private static func contract(
    _ difference: Model.Difference, mayDiffer: Set<String> = []
  ) -> RecordedContract<Intent> {
    RecordedContract(
      intents: [.load, .cancel, .reset], also: [.leave, .restart], length: 12, mayDiffer: mayDiffer
    ) { recording in
      let model = Model(recording, .none)
      return { intent in model.perform(intent) }
    } new: { recording in
      let model = Model(recording, difference)
      return { intent in model.perform(intent) }
    }
  }

  private static func reason(_ difference: Model.Difference) async throws -> String {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await contract(difference).compare(seeds: 1...500)
    }
    guard case .expectation(let reason, _) = failure.reason else { return "\(failure)" }
    return reason
  }

  @Test("equal stages pass, although values within a step come and go")
  func equal() async throws { try await Self.contract(.none).compare(seeds: 1...500) }

  @Test("each kind of difference is found, and reduced to the steps that it needs")
  func differences() async throws {
    let state = try await Self.reason(.state)
    #expect(
      state == """
        the stages differ after the last step of this script:

          try await contract.compare([
            .perform(.load),
            .answer(0, with: 0),
          ])

        old:
          value: 0
        new:
          value: 1
        """)
    let event = try await Self.reason(.event)
    #expect(event.contains("event 0: alert: offline"))
    let request = try await Self.reason(.request)
    #expect(request.hasSuffix("old:\n  request 0: value\nnew:\n  request 0: values"))
    let end = try await Self.reason(.end)
    #expect(end.contains("caller 0 of load: done"))
    let restart = try await Self.reason(.restart)
    #expect(restart.contains("compare([\n    .restart,\n  ])"))
    let leave = try await Self.reason(.leave)
    #expect(leave.contains("compare([\n    .leave,\n  ])"))
    let cancellation = try await Self.reason(.cancellation)
    #expect(cancellation.contains("compare([\n    .perform(.load),\n    .perform(.cancel),\n  ])"))
  }

  @Test("a pasted script fails with the same difference")
  func pasted() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await Self.contract(.state).compare([.perform(.load), .answer(0, with: 0)])
    }
    #expect("\(failure.reason)".contains("value: 1"))
    try await Self.contract(.state).compare([.perform(.load), .answer(0, with: 1)])
  }

  @Test("a declared difference passes")
  func declared() async throws {
    try await Self.contract(.state, mayDiffer: ["value"]).compare(seeds: 1...200)
    try await Self.contract(.event, mayDiffer: ["events"]).compare(seeds: 1...200)
    try await Self.contract(.end, mayDiffer: ["callers"]).compare(seeds: 1...200)
    try await Self.contract(.request, mayDiffer: ["requests"]).compare(seeds: 1...200)
  }

  @Test("the hearing of cancellations is a part of the script")
  func cancellation() async throws {
    try await Self.contract(.none).compare(
      [.perform(.load), .perform(.cancel)], requestsHearCancellation: true)
    let failure = try await #require(throws: SimulationFailure.self) {
      try await Self.contract(.event).compare(
        [.perform(.load), .perform(.cancel)], requestsHearCancellation: true)
    }
    #expect("\(failure.reason)".contains("], requestsHearCancellation: true)"))
  }

  @Test("a reader that outlives its view model is found when the screens have left")
  func leftBehind() async throws {
    func stage(outlives: Bool) -> RecordedContract<Intent>.Stage {
      { recording in
        let readers = recording.kept { Readers() }
        recording.watch("readers") { readers.count.load(ordering: .relaxed) }
        let reader = Reader(of: readers)
        if outlives { recording.kept { Leak() }.reader.withLock { $0 = reader } }
        return { _ in withExtendedLifetime(reader) {} }
      }
    }
    let contract = RecordedContract<Intent>(
      intents: [.load], length: 3, old: stage(outlives: false), new: stage(outlives: true))
    let failure = try await #require(throws: SimulationFailure.self) {
      try await contract.compare(seeds: 1...1)
    }
    guard case .expectation(let reason, _) = failure.reason else { throw failure }
    #expect(
      reason == """
        the stages differ when their screens have left, after this script:

          try await contract.compare([])

        old:
          readers: 0
        new:
          readers: 1
        """)
  }

  @Test("a run keeps nothing alive")
  func released() async throws {
    try await simulate(seeds: 1...1) { world in
      let alive = WeakReference()
      let contract = RecordedContract<Intent>(intents: [.load], length: 3) { recording in
        let object = Object(recording)
        alive.set(object)
        recording.watch("object") { [object] in object.recording.stage.isEmpty }
        return { _ in }
      } new: { recording in
        recording.watch("object") { false }
        return { _ in }
      }
      await contract.compare(in: world)
      world.expect(alive.isNil)
    }
  }

  private final class Object: Sendable {
    let recording: Recording
    init(_ recording: Recording) { self.recording = recording }
  }

  private final class Readers: Sendable { let count = Atomic(0) }
  private final class Leak: Sendable { let reader = Mutex<Reader?>(nil) }

  private final class Reader: Sendable {
    private let readers: Readers

    init(of readers: Readers) {
      self.readers = readers
      readers.count.add(1, ordering: .relaxed)
    }

    deinit { readers.count.subtract(1, ordering: .relaxed) }
  }

  private final class WeakReference: Sendable {
    private struct Contents { weak var object: Object? }
    private let contents = Mutex(Contents())
    func set(_ object: Object) { contents.withLock { $0.object = object } }
    var isNil: Bool { contents.withLock { $0.object == nil } }
  }
}
