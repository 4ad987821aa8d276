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

  @Test("the declared names are those of the top-level types and functions that other files can use")
  func declarations() {
    let text = SourceText(
      """
      public final class Slot<Value>: Sendable {
        struct Nested {}
      }
      private struct Hidden {}
      fileprivate func helper() {}
      @inlinable public func complete() {}
      extension Other { func more() {} }
      """)
    #expect(text.declaredNames == ["Slot", "complete"])
  }

  @Test(
    "the newest API in a file decides the oldest iOS version that can run the file",
    arguments: [
      ("final class A { let queue = DispatchQueue(label: \"A\") }", 8),
      ("func load() { queue.async {} }", 8),
      ("func load() async {}", 13),
      ("let store: ObservableState<Int>", 13),
      ("let service: any PageService<Item>", 16),
      ("let pause: Duration", 16),
      ("actor A { let isBound = Mutex(false) }", 18),
    ])
  func oldestSystem(_ code: String, _ system: Int) {
    #expect(OldestSystem.iOS(for: SourceText(code)) == system)
  }

  @Test("a stage needs the toolkit files that its view models name, and not those of another stage")
  func toolkit() throws {
    let tree = try SourceTree()
    func names(_ stage: MigrationStage) -> Set<Substring> {
      tree.toolkit(behind: stage).reduce(into: []) { $0.formUnion($1.declaredNames) }
    }
    #expect(names(.closure).isSuperset(of: ["CallbackState", "RequestSlot"]))
    #expect(names(.async).isSuperset(of: ["TaskSlot", "ObservableState", "StateStorage"]))
    #expect(!names(.closure).contains("ViewModelActor") && !names(.async).contains("RequestSlot"))
    #expect(tree.features.count == 9)
  }
}
