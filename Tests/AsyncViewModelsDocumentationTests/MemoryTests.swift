import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing

actor StepsModel: ViewModelActor {
  nonisolated let modelState = ModelState(0)
  private let liveObject = LiveObjectToken(.viewModel, "StepsModel")

  nonisolated func step() { store.update { $0 += 1 } }
}

@MainActor
final class StepsScreen {
  private(set) var shown: Int?
  private let model: StepsModel
  private var observation: CancellationToken?

  init(model: StepsModel) { self.model = model }

  func viewDidLoad() {
    observation = model.observe(on: self) { screen, steps in screen.shown = steps }
  }
}

@MainActor
final class LeakingScreen {
  private(set) var shown: Int?
  private let model: StepsModel
  private(set) var task: Task<Void, Never>?

  init(model: StepsModel) { self.model = model }

  func viewDidLoad() {
    task = Task { for await steps in model.states() { shown = steps } }
  }
}

/// The code of the article `Memory`.
@Suite("Article: who keeps a view model alive", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct MemoryTests {
  @Test("the screen and its view model are released")
  func released() async throws {
    try await LeakTracker.check { tracker in
      let model = tracker.track(StepsModel())
      let screen = tracker.track(StepsScreen(model: model))
      screen.viewDidLoad()
    }
  }

  @Test("a loop over the states keeps the screen and its view model, and the article shows the error")
  func leak() async throws {
    let tracker = LeakTracker()
    var task: Task<Void, Never>?
    do {
      let screen = tracker.track(LeakingScreen(model: tracker.track(StepsModel())))
      screen.viewDidLoad()
      try await until { screen.shown == 0 }
      task = screen.task
    }
    let error = LeakError(survivors: tracker.survivors)
    #expect(error.survivors.count == 2)
    let article = try Repository.text(Repository.article("Memory"))
    #expect(article.contains("\n\(error)\n"), "\(error)")
    task?.cancel()
    try await tracker.assertAllReleased()
  }

  @Test("a closed screen leaves no object", .enabled(if: LiveObjects.areCounted))
  func counted() async throws {
    try await LiveObjects.assertNothingLives {
      let screen = StepsScreen(model: StepsModel())
      screen.viewDidLoad()
    }
  }

  @Test("the article shows the count of an open screen", .enabled(if: LiveObjects.areCounted))
  func openScreen() throws {
    let article = try Repository.text(Repository.article("Memory"))
    LiveObjects.scoped { liveObjects in
      let screen = StepsScreen(model: StepsModel())
      screen.viewDidLoad()
      #expect(article.contains("// \(liveObjects.count)\n"), "\(liveObjects.count)")
    }
  }

  @Test("a store keeps a view model for five seconds after its last lease")
  func retention() async throws {
    let (clock, tracker) = (VirtualClock(), LeakTracker())
    let store = ViewModelStore(clock: clock) { (_: Int) in tracker.track(StepsModel()) }
    await store.lease(7).hold { model in model.step() }
    await clock.waitForSleepers(1)
    #expect(tracker.survivors == ["StepsModel"])
    clock.advance(by: .seconds(5))
    try await tracker.assertAllReleased()
  }

  @Test("the code of this file contains the examples of the article, in the same order")
  func examples() throws {
    try expectExamples(
      of: Repository.article("Memory"), in: "MemoryTests.swift",
      except: { $0.contains("LiveObjects.process") })
  }
}
