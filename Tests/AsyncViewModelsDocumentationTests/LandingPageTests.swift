import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import Testing

@Suite("Landing page of the documentation", .timeLimit(.minutes(1)))
struct LandingPageTests {
  private struct Offline: Error {}

  private struct News: NewsService {
    let answers: Tally

    func articles() async throws -> [Article] {
      if answers.increment() == 2 { throw Offline() }
      return [Article()]
    }
  }

  @Test("the example shows what it loads, and a failed reload keeps it")
  func example() async throws {
    try await LiveObjects.scoped { liveObjects in
      try await LeakTracker.check { tracker in
        let service = News(answers: Tally())
        let model = tracker.track(NewsViewModel(service: service))
        for answer in 1...2 {
          await model.load()
          // The task of the slot ends after its commit. A release build does not count it.
          try await until { service.answers.count == answer && liveObjects.count[.task] == 0 }
          try await StateRecorder(model.states()).first { $0.value?.count == 1 }
        }
      }
    }
  }

  @Test("the code of the landing page stands in this folder, line by line")
  func code() throws {
    let here = Set(
      try text("Tests/AsyncViewModelsDocumentationTests/NewsViewModel.swift").split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) })
    let page = try text("Sources/AsyncViewModels/AsyncViewModels.docc/AsyncViewModels.md")
    let block = page.components(separatedBy: "```swift\n")[1].components(separatedBy: "```")[0]
    let lines = block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.filter { !here.contains($0) }.isEmpty)
    #expect(lines.count > 20)
  }

  private func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
