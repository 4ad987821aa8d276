#if os(macOS) || os(Linux)
  import AsyncViewModels
  import AsyncViewModelsRecorder
  import AsyncViewModelsTesting
  import Foundation
  import Testing

  @Suite("FlightRecorder: files", .timeLimit(.minutes(5)), .endsWaits)
  struct RecordingFileTests {
    private struct Total: Sendable {}

    private let path = FileManager.default.temporaryDirectory.appending(
      path: "recording-\(UUID().uuidString)"
    ).path

    @Test("a process that is killed with SIGKILL leaves all its events")
    func killed() async throws {
      defer { try? FileManager.default.removeItem(atPath: path) }
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        try FlightRecorder.start(writingTo: path, capacity: 64)
        FlightRecorder.intent("buy", 7)
        let state = StateStore(Total())
        for _ in 0..<100 { state.send(Total()) }
        withExtendedLifetime(state) { _ = kill(getpid(), SIGKILL) }
      }
      let log = try FlightLog(contentsOfFile: path)
      #expect(log.entries.map(\.number) == Array(39...102))
      #expect(log.missingCount == 38)
      #expect(log.entries.last?.object == "state RecordingFileTests.Total #1")
      #expect(log.entries.last?.text == "version 101")
      #expect(log.text(last: 1).hasSuffix("102  thread 1  state RecordingFileTests.Total #1  version 101"))
    }

    @Test("an object keeps its name in a later recording, and is silent between recordings")
    func restart() async throws {
      await #expect(processExitsWith: .success) {
        try FlightRecorder.start(capacity: 64)
        let state = StateStore(Total())
        FlightRecorder.stop()
        state.send(Total())
        FlightRecorder.intent("not recorded")
        #expect(FlightRecorder.log.entries.map(\.text) == ["is created"])
        try FlightRecorder.start(capacity: 64)
        state.send(Total())
        FlightRecorder.intent("recorded", -1)
        let log = FlightRecorder.log
        #expect(log.entries.map(\.object) == ["state RecordingFileTests.Total #1", ""])
        #expect(log.entries.map(\.text) == ["version 3", "intent \"recorded\" -1"])
        #expect(log.intents.map(\.name) == ["recorded"] && log.intents.map(\.number) == [-1])
        #expect(throws: FlightRecorderError.isRunning) { try FlightRecorder.start() }
        withExtendedLifetime(state) {}
      }
    }

    @Test(
      "many threads write whole events, and none is lost unless the ring is full", arguments: [64, 8_192])
    func threads(capacity: Int) async throws {
      await #expect(processExitsWith: .success) { [capacity] in
        try FlightRecorder.start(capacity: capacity)
        await withTaskGroup { group in
          for _ in 0..<4 {
            group.addTask {
              let state = StateStore(Total())
              for _ in 0..<2_000 { state.send(Total()) }
            }
          }
          group.addTask {
            for _ in 0..<20 { #expect(FlightRecorder.log.hasWholeVersions) }
          }
        }
        let log = FlightRecorder.log
        #expect(log.hasWholeVersions)
        // Each state is created, has 2,000 versions, and finishes.
        #expect(UInt64(log.entries.count) + log.missingCount == 4 * 2_002)
        #expect(capacity == 64 || log.missingCount == 0)
      }
    }

    @Test("a file that is no recording is refused, and so is a file that does not exist")
    func wrongFiles() throws {
      defer { try? FileManager.default.removeItem(atPath: path) }
      #expect(throws: FlightRecorderError.file(path: path, code: ENOENT)) {
        try FlightLog(contentsOfFile: path)
      }
      for size in [0, 7, 8, 300_000] {
        try Data(repeating: 1, count: size).write(to: URL(fileURLWithPath: path))
        #expect(throws: FlightRecorderError.format(path: path)) { try FlightLog(contentsOfFile: path) }
      }
    }

    @Test("a damaged recording is read or refused, but never crashes the reader")
    func damagedFiles() async throws {
      defer { try? FileManager.default.removeItem(atPath: path) }
      await #expect(processExitsWith: .success) { [path = path as String] in
        try FlightRecorder.start(writingTo: path, capacity: 64)
        for number in 0..<64 { FlightRecorder.intent("step", number) }
      }
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      var numbers = SplitMix64(seed: 1)
      for _ in 0..<200 {
        var damaged = whole
        // The names are mostly empty, so the damage is in the head, the first names or the events.
        let isAtStart = numbers.next() % 2 == 0
        let offset = isAtStart ? Int(numbers.next() % 256) : whole.count - 1 - Int(numbers.next() % 2_048)
        damaged[offset] = UInt8(truncatingIfNeeded: numbers.next())
        try damaged.write(to: URL(fileURLWithPath: path))
        if let log = try? FlightLog(contentsOfFile: path) {
          #expect(log.entries.count <= 64 && log.text().count < 64 * 200)
        }
      }
    }

    @Test("a recording that cannot be written is refused")
    func refusals() {
      for capacity in [0, -64, 32, 100, 1 << 25] {
        #expect(throws: FlightRecorderError.capacity(capacity)) {
          try FlightRecorder.start(capacity: capacity)
        }
      }
    }
  }

  extension FlightLog {
    /// Whether the versions of each state increase, as they do unless two events are mixed.
    fileprivate var hasWholeVersions: Bool {
      var versions: [String: Int] = [:]
      for entry in entries where entry.text.hasPrefix("version ") {
        guard entry.object.hasPrefix("state RecordingFileTests.Total #"),
          let version = Int(entry.text.dropFirst("version ".count)), version > versions[entry.object] ?? 1
        else { return false }
        versions[entry.object] = version
      }
      return true
    }
  }
#endif
