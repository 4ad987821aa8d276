import Audit
import Foundation
import Testing

@testable import Migration

@Suite("the step state-struct", .timeLimit(.minutes(5)))
struct StateStructStepTests {
  @Test("the result of each case compiles")
  func compiled() throws {
    let folder = MigrationTests.cases.appending(path: "state-struct")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".after.swift")
    }
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      #expect(try compilerErrors([text]) == "", "\(file)")
    }
  }

  @Test("code of other files sees a field whose first value is hidden")
  func hiddenValue() throws {
    let model = """
      final class FeedViewModel {
        private enum Defaults { static let limit = 3 }
        private(set) var limit: Int = Defaults.limit
      }
      """
    let other = "extension FeedViewModel { func next() -> Int { limit + 1 } }"
    let migration = Migration(
      StateStructStep(), [SourceFile(path: "a.swift", text: model), SourceFile(path: "b.swift", text: other)])
    #expect(migration.files.count == 2)
    #expect(try compilerErrors(migration.files.map(\.new)) == "")
    #expect(migration.files.last?.new == other.replacing("limit + 1", with: "state.limit + 1"))
  }

  @Test("a type of another file is not the hidden type of the same name")
  func hiddenElsewhere() throws {
    let model =
      "final class FeedViewModel {\n  var row = Row()\n  private var last = Row()\n}\nstruct Row {}\n"
    let other = "private extension FeedViewModel { struct Hidden {} }\nprivate struct Row {}"
    let migration = Migration(
      StateStructStep(), [SourceFile(path: "a.swift", text: model), SourceFile(path: "b.swift", text: other)])
    #expect(migration.files.first?.new.contains("fileprivate") == false)
  }

  @Test("values with operators are set once, and values with calls keep their order and their place")
  func operators() {
    func text(_ value: String) -> String {
      """
      final class CartViewModel {
        private var title: String
        private var count: Int
        init(title: String?) {
          self.title = \(value)
          count = 0
        }
      }
      """
    }
    expectMigration(
      StateStructStep(), text(#"title ?? (title == nil ? "a" : "b") + "c""#),
      to: """
        final class CartViewModel {
          struct State {
            var title: String
            var count: Int
          }

          private var state: State
          init(title: String?) {
            state = State(title: title ?? (title == nil ? "a" : "b") + "c", count: 0)
          }
        }
        """)
    for (first, second, reason) in [
      ("print()", "read()", "an initializer runs `print()` before all of its state is set"),
      (
        "count = read()", "next()",
        "an initializer sets its state in another order than that of the properties"
      ),
    ] {
      let body = "title = read()\n    \(first)\n    count = 0"
      let swapped = "\(first)\n    title = \(second)"
      let text = """
        final class CartViewModel {
          private var title: String
          private var count: Int
          init() {
            \(first.hasPrefix("count") ? swapped : body)
          }
        }
        """
      #expect(refusals(StateStructStep(), text) == [reason])
    }
  }

  @Test("a field has the type that its first value shows")
  func types() throws {
    let text = """
      import Foundation

      final class FeedViewModel {
        enum Mode { case list, grid(Int) }
        struct Size { static let small = Size() }

        var mode = Mode.list
        var other = Mode.grid(2)
        var size = Size.small
        var name = String.init("feed")
        var date = Date.distantPast
        var last = FeedViewModel.Mode.list
      }
      """
    let result = runTwice(StateStructStep(), text)
    #expect(result.refusals == [])
    #expect(try compilerErrors([result.text]) == "")
    for field in ["mode: Mode", "other: Mode", "size: Size", "name: String", "date: Date"] {
      #expect(result.text.contains("  var \(field) {"), "\(field)")
    }
  }

  @Test("a constant is no part of the state")
  func constants() {
    expectMigration(
      StateStructStep(),
      """
      final class CartViewModel {
        let name: String = "cart"
        private let size = 20, limit = 3
        private var count = 0
      }
      """,
      to: """
        final class CartViewModel {
          let name: String = "cart"
          private let size = 20, limit = 3
          struct State {
            var count = 0
          }

          private var state = State()
        }
        """)
  }

  /// The comment above the struct that takes the properties of a class with some functions.
  private func question(_ functions: String, _ attribute: String = "") throws -> String {
    let text = """
      import Foundation

      \(attribute)final class FeedViewModel {
        private var items: [Int] = []
        private var title = ""

        \(functions)
      }
      """
    let result = runTwice(StateStructStep(), text)
    #expect(result.refusals == [])
    let lines = result.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    return lines.filter { $0.hasPrefix("// ") }.map { $0.dropFirst(3) }.joined(separator: " ")
  }

  @Test(
    "a person decides what guards properties that tasks use on any thread",
    arguments: [
      "func load() { Task { items = await fetch() } }",
      "func load() { Task { [weak self] in let items = await fetch(); self?.items = items } }",
      "func load() { Task.detached { self.items = [] } }",
      "func load() async { items = await fetch() }",
      "func load() { Task { await fetch(); finish() } }\n func finish() { show() }\n func show() { items = [] }",
      "func load() { Task { guard items.isEmpty else { return }; await fetch() } }",
    ])
  func unguarded(code: String) throws {
    #expect(
      try question(code)
        == "TODO: [migrate] What guards `State`? Tasks use `items` on any thread. Isolate the class to the main actor, or make it an actor."
    )
    #expect(try question(code, "@MainActor ") == "")
  }

  @Test(
    "code on the main actor, on a queue and in a callback raises no question about tasks",
    arguments: [
      "func load() { Task { @MainActor in items = await fetch() } }",
      "func load() { Task { await MainActor.run { self.items = [] } } }",
      "func load() { Task { await fetch(); DispatchQueue.main.async { self.items = [] } } }",
      "@MainActor func load() async { items = await fetch() }",
      "func load() { Task { await fetch() } }\n func show() { items = [] }",
      "func load() { fetch { self.items = $0 } }",
      "func load() { Task { let items = await fetch(); print(items) } }",
    ])
  func guarded(code: String) throws { #expect(try question(code) == "") }

  @Test("a lazy value stays outside of the struct, and a person decides whether it belongs to the state")
  func lazyValues() throws {
    #expect(
      try question("private lazy var rows: [Int] = items.map { $0 + 1 }")
        == "TODO: [migrate] Does `rows` belong to `State`? A lazy property stays outside of it. Compute the value in a function, or set it in an initializer."
    )
    #expect(try question("private lazy var formatter = DateFormatter()") == "")
    #expect(try question("private lazy var onTap: () -> Void = {}") == "")
  }

  @Test("a value that a constant of the class gives is part of the state")
  func constantOfClass() throws {
    let text = """
      final class ListViewModel {
        static let pageSize = 20
        static let shared = ListViewModel()
        var limit = ListViewModel.pageSize
        private var last = ListViewModel.pageSize
        private var next: ListViewModel? = ListViewModel.shared
        func more() { limit += last }
      }
      """
    let result = runTwice(StateStructStep(), text)
    #expect(result.refusals == [])
    #expect(try compilerErrors([result.text]) == "")
    #expect(result.text.contains("  var limit: Int {\n"))
    #expect(result.text.contains("    var last = ListViewModel.pageSize\n  }\n"))
    #expect(result.text.contains("  private var next: ListViewModel? = ListViewModel.shared\n"))
  }
}
