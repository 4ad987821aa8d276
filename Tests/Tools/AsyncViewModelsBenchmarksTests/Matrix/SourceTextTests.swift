import StorefrontTesting
import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct SourceTextTests {
  @Test("comment lines and blank lines are not code, and a member such as `queue.async` is not a keyword")
  func words() {
    let text = SourceText(
      """
      /// An actor.
      final class Cart {

        func add() { queue.async { total += 1 } }  // counts
      }
      """)
    #expect(text.lines.count == 3)
    #expect(text.words.isSuperset(of: ["Cart", "queue", "total"]))
    #expect(!text.words.contains("async") && !text.words.contains("actor"))
  }

  @Test(
    "the newest API in a file decides the oldest iOS version that can run the file",
    arguments: [
      ("final class A { let queue = DispatchQueue(label: \"A\") }", 8),
      ("func load() { queue.async {} }", 8),
      ("func load() async {}", 13),
      ("let store: StateStore<Int>", 13),
      ("let service: any PageService<Item>", 16),
      ("let pause: Duration", 16),
      ("actor A { let isBound = Mutex(false) }", 18),
    ])
  func oldestSystem(_ code: String, _ system: Int) {
    #expect(OldestSystem.iOS(for: SourceText(code)) == system)
  }

  @Test("each of the nine features has a file for each stage")
  func features() throws {
    let tree = try SourceTree()
    #expect(MigrationStage.allCases.map { tree.viewModels(of: $0).count } == [9, 9, 9])
  }
}
