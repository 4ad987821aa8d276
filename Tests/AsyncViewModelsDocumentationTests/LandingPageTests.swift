import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@Suite("Landing page of the documentation", .timeLimit(.minutes(5)))
struct LandingPageTests {
  private struct Offline: Error {}

  private struct News: NewsService {
    let answers: Tally

    func headlines() async throws -> [String] {
      if answers.increment() == 2 { throw Offline() }
      return ["Swift 7 is out"]
    }
  }

  @Test("the example shows the loaded headlines, and a failed reload keeps them")
  func example() async throws {
    try await LiveObjects.scoped { liveObjects in
      try await LeakTracker.check { tracker in
        let service = News(answers: Tally())
        let model = tracker.track(NewsViewModel(service: service))
        for answer in 1...2 {
          await model.load()
          #expect(service.answers.count == answer)
          #expect(model.state.value == ["Swift 7 is out"])
          // The slot's task ends soon after the commit, so wait for the end. Release builds count no tasks.
          try await until { liveObjects.count[.task] == 0 }
        }
      }
    }
  }

  @Test("the code of this folder contains the example")
  func code() throws {
    try expectExamples(of: Repository.article("AsyncViewModels"), in: "NewsViewModel.swift")
  }
}
