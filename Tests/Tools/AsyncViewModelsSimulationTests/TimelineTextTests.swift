import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@testable import AsyncViewModelsSimulation

/// What the report of a failing run shows.
@Suite("Simulation: the report", .timeLimit(.minutes(5)))
struct TimelineTextTests {
  /// Writes a timeline of tasks with these names.
  private struct Script {
    static let names = ["world", "body", "tap on a", "tap on b", "body.1", "body.1.1"]
    static let library = StepCode(
      app: [], library: "a closure of AsyncSequence.observe", isLibrary: true, detail: "TimedStorage.next")
    private(set) var timeline = Timeline()
    private var step = 0
    private var time = VirtualClock.Instant.start

    mutating func run(_ task: Int, _ code: StepCode?, others: [Int] = [], insteadOf other: Int? = nil) {
      step += 1
      note(.ran(task, others: others, preferred: other))
      timeline.noteCode(code)
    }

    mutating func note(_ event: Timeline.Event) { timeline.note(event, step: step, at: time) }

    mutating func advance(by duration: Duration) {
      time = time.advanced(by: duration)
      note(.timeMoved(isTurn: false))
    }

    func lines(isVerbose: Bool = false) -> [String] {
      TimelineText(name: { Self.names[$0] }, isVerbose: isVerbose).lines(of: timeline)
    }
  }

  private static func app(_ functions: String...) -> StepCode {
    StepCode(
      app: functions, library: nil, isLibrary: false,
      detail: functions.reversed().joined(separator: ", called by "))
  }

  /// Two taps that overlap, while a view model observes a stream.
  private static let taps: Script = {
    var script = Script()
    let toggle = app("App.SearchModel.toggle", "a closure of Tests.ShopTests.favorites")
    script.note(.created(1))
    script.run(1, app("a closure of Tests.ShopTests.favorites"))
    for task in 2...4 { script.note(.created(task)) }
    script.run(4, Script.library, others: [2, 3])
    script.note(.created(5))
    script.run(5, Script.library)
    script.run(2, toggle, others: [3])
    script.note(.chose(0, of: 2, by: 2))
    script.run(3, toggle, insteadOf: 2)
    script.run(3, app("App.SearchModel.toggle"))
    script.note(.said("waits for 0.5 seconds", by: 3, isTurn: false))
    script.run(5, Script.library)
    script.advance(by: .milliseconds(300))
    script.run(5, Script.library)
    script.advance(by: .milliseconds(200))
    script.run(4, Script.library)
    script.run(2, toggle)
    script.note(.failed(.expectation("favorites expected [a, b], got [a]", at: "ShopTests.swift:39")))
    return script
  }()

  @Test("the report shows the steps of the app, and steps in library code in one line")
  func app() {
    #expect(
      Self.taps.lines() == [
        "  1    body      runs in a closure of ShopTests.favorites, starts tap on a, tap on b, body.1",
        "  2–3  2 tasks   run in library code",
        "  4    tap on a  runs in SearchModel.toggle, then a closure of ShopTests.favorites",
        "▸ 5–6  tap on b  runs in SearchModel.toggle, then a closure of ShopTests.favorites, instead of tap",
        "                 on a",
        "       tap on b  waits for 0.5 seconds",
        "  7–8  body.1.1  runs in library code",
        "       — time advances to 0.5 seconds —",
        "  9    body.1    runs in library code (AsyncSequence.observe)",
        "  10   tap on a  runs in SearchModel.toggle, then a closure of ShopTests.favorites",
        "       ✗ favorites expected [a, b], got [a]",
      ])
  }

  @Test("the verbose report shows each event in one line, with the functions of the toolkit")
  func verbose() {
    let toggle = "a closure of Tests.ShopTests.favorites, called by App.SearchModel.toggle"
    #expect(
      Self.taps.lines(isVerbose: true) == [
        "       · body is ready to start",
        "  1    body      runs in a closure of Tests.ShopTests.favorites",
        "       · tap on a is ready to start",
        "       · tap on b is ready to start",
        "       · body.1 is ready to start",
        "  2    body.1    runs in TimedStorage.next   (also ready: tap on a, tap on b)",
        "       · body.1.1 is ready to start",
        "  3    body.1.1  runs in TimedStorage.next",
        "  4    tap on a  runs in \(toggle)   (also ready: tap on b)",
        "       tap on a  chooses 0 of 0..<2",
        "▸ 5–6  tap on b  runs in \(toggle), then App.SearchModel.toggle, instead of tap on a",
        "       tap on b  waits for 0.5 seconds",
        "  7    body.1.1  runs in TimedStorage.next",
        "       — time advances to 0.3 seconds —",
        "  8    body.1.1  runs in TimedStorage.next",
        "       — time advances to 0.5 seconds —",
        "  9    body.1    runs in TimedStorage.next",
        "  10   tap on a  runs in \(toggle)",
        "       ✗ favorites expected [a, b], got [a] (ShopTests.swift:39)",
      ])
  }

  @Test("a choice that the failure needs has its own line, even in library code")
  func turnInLibraryCode() {
    var script = Script()
    script.run(4, Script.library)
    script.run(5, Script.library, insteadOf: 2)
    script.run(4, Script.library)
    script.note(.chose(1, of: 2, by: 4))
    #expect(
      script.lines() == [
        "  1  body.1    runs in library code (AsyncSequence.observe)",
        "▸ 2  body.1.1  runs in library code (AsyncSequence.observe), instead of tap on a",
        "  3  body.1    runs in library code (AsyncSequence.observe)",
        "▸    body.1    chooses 1 of 0..<2",
      ])
  }

  @Test("code without a known function may belong to the app, so it is not library code")
  func unknownCode() {
    var script = Script()
    script.run(2, nil)
    script.run(4, Script.library)
    script.run(2, Self.app())
    #expect(
      script.lines() == [
        "  1  tap on a  runs",
        "  2  body.1    runs in library code (AsyncSequence.observe)",
        "  3  tap on a  runs",
      ])
  }

  @Test("a long report shows the last lines and the choices before them")
  func long() {
    var script = Script()
    for number in 1...100 { script.run(2 + number % 2, nil, insteadOf: number == 10 ? 4 : nil) }
    let lines = script.lines()
    #expect(
      lines.prefix(4) == [
        "… 9 lines left out", "▸ 10   tap on a  runs, instead of body.1", "… 51 lines left out",
        "  62   tap on a  runs",
      ])
    #expect(lines.count == 42 && lines.last == "  100  tap on a  runs")
    #expect(script.lines(isVerbose: true).count == 100)
  }

  @Test("a report is at most 100 columns wide, and shows a long reason in full above the steps")
  func width() async throws {
    let reason = Array(repeating: "a long reason", count: 20).joined(separator: " ")
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...1) { world in
        world.log(Array(repeating: "word", count: 100).joined(separator: " "))
        world.fail(reason)
      }
    }
    #expect(failure.description.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(failure)")
    #expect(failure.description.replacing("\n", with: " ").contains("seed 1 (mixed): \(reason)"))
    #expect(failure.timeline.last?.hasSuffix(" …") == true)
    #expect(failure.fullTimeline.last?.contains(reason) == true)
  }

  @Test("a report says how to replay the run and how to see all steps, and the verbose one shows them")
  func hints() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...1) { $0.fail("here") }
    }
    let lines = failure.report(isVerbose: false, replay: "A", verbose: "B").split(separator: "\n")
    #expect(lines.dropFirst().prefix(2) == ["replay: A", "all steps: B"])
    let all = failure.report(isVerbose: true, replay: "A", verbose: "B")
    #expect(!all.contains("all steps") && all.contains("· body is ready to start"))
    #expect(failure.description.contains("\nall steps: SIMULATION_VERBOSE=1\n"))
  }

  // The optimizer merges functions.
  #if DEBUG
    private actor Model: ViewModelActor {
      nonisolated let modelState: ModelState<[Int]>
      private let slot = TaskSlot(.latest)
      private var observation: CancellationToken?

      init(isolation: any Actor) { modelState = ModelState([], on: isolation) }

      func follow(_ numbers: StateStore<Int>, clock: VirtualClock) {
        observation = numbers.values().debounced(for: .milliseconds(100), clock: clock)
          .observe(on: self) { model, number in await model.load(number) }
      }

      private func load(_ number: Int) async {
        await slot.run(on: self) {
          await Task.yield()
          return number
        } commit: { model, outcome in
          if let number = outcome.value { model.store.update { $0.append(number) } }
        }
      }
    }

    @Test("a view model's report names its functions, and none of the toolkit's internal functions")
    func viewModel() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1) { world in
          let (model, numbers) = (Model(isolation: world.isolation), StateStore(1))
          await model.follow(numbers, clock: world.clock)
          await world.settle()
          world.expectEqual(model.state, [], "numbers")
          numbers.finish()
        }
      }
      let lines = failure.timeline
      #expect(lines.contains { $0.contains("Model.load") }, "\(failure)")
      #expect(lines.contains { $0.contains(/\d tasks +run in library code/) }, "\(failure)")
      #expect(lines.count { $0.contains("a commit of TaskSlot") } == 1, "\(failure)")
      #expect(lines.count <= 10 && failure.fullTimeline.count > 15, "\(failure)")
      for hidden in ["TaskRuns", "ObserverSequence", "EventHandover", "TimedStorage.next", "nextAfter"] {
        #expect(!lines.contains { $0.contains(hidden) }, "\(failure)")
      }
      #expect(failure.fullTimeline.contains { $0.contains("TaskRuns") }, "\(failure.fullTimeline)")
    }

    @Test("the first step of a task names the function that was passed to it")
    func start() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1) { world in
          Self.startTasks()
          await world.settle()
          world.fail("here")
        }
      }
      for task in ["body.1", "body.2"] {
        let lines = failure.timeline.filter { $0.contains(" \(task)  runs") }
        #expect(lines.count == 1 && lines[0].contains("TimelineTextTests.startTasks"), "\(failure)")
      }
    }

    private static func startTasks() {
      let number = 1
      Task {}
      Task { () throws -> Int in number }
    }
  #endif
}
