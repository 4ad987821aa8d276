import AsyncViewModelsTesting
import AsyncViewModelsUI
import Observation
import Testing

actor CounterModel: ViewModelActor {
  nonisolated let modelState: ModelState<Int>

  init(isolation: (any Actor)? = nil) { modelState = ModelState(0, on: isolation) }

  nonisolated func increment() { store.update { $0 += 1 } }
}

protocol UnreadService: Sendable {
  func unread() async throws -> Int
}

@MainActor @Observable
final class BadgeModel {
  private(set) var unread = Loadable<Int>()
  @ObservationIgnored private let slot = TaskSlot(.latest)
  @ObservationIgnored private let service: any UnreadService

  init(service: any UnreadService) { self.service = service }

  func load() async {
    unread.begin()
    await slot.run(on: self) { [service] in
      try await service.unread()
    } commit: { model, outcome in
      model.unread.receive(outcome)
    }
  }
}

nonisolated struct CounterState: Equatable, Sendable {
  var count = 0
}

/// The code of the article `ChoosingIsolation`.
@Suite("Article: actor or main-actor class", .timeLimit(.minutes(5)))
@MainActor
struct ChoosingIsolationTests {
  private struct Unread: UnreadService {
    func unread() async throws -> Int { 3 }
  }

  @Test("on the main actor, an increment changes the state and the observed value at once, on any isolation")
  func actorModel() {
    for isolation in [MainActor.shared, nil] as [(any Actor)?] {
      let model = CounterModel(isolation: isolation)
      let shown = StateMirror(model)
      model.increment()
      #expect(model.state == 1)
      #expect(shown.value == 1)
    }
  }

  @Test("`load()` of the main-actor class returns after the number of unread messages is set")
  func mainActorModel() async throws {
    try await LeakTracker.check { tracker in
      let model = tracker.track(BadgeModel(service: Unread()))
      await model.load()
      #expect(model.unread == Loadable(3))
    }
  }

  @Test("the code of this file contains the examples of the article, in the same order")
  func examples() throws {
    try expectExamples(
      of: Repository.article("ChoosingIsolation"),
      in: "ChoosingIsolationTests.swift")
  }
}
