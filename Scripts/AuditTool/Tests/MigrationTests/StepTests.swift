import Audit
import Foundation
import Testing

@testable import Migration

@Suite("the steps of a migration", .timeLimit(.minutes(5)))
struct StepTests {
  @Test(
    "each case has the result in its file, and a second run changes nothing", arguments: steps.map(\.name))
  func cases(_ name: String) throws {
    let step = try #require(steps.first { $0.name == name })
    let folder = MigrationTests.cases.appending(path: name)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".before.swift")
    }
    #expect(!files.isEmpty)
    for file in files {
      let before = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let after = try String(
        contentsOf: folder.appending(path: file.replacing(".before.", with: ".after.")), encoding: .utf8)
      expectMigration(step, before, to: after)
    }
  }

  @Test("each step names a page of the guide")
  func pages() {
    let guide = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Sources/AsyncViewModels/AsyncViewModels.docc").standardized
    for step in steps {
      #expect(FileManager.default.fileExists(atPath: guide.appending(path: step.page + ".md").path))
    }
  }

  @Test("the applicable steps are those that change a type now, in the order of the guide")
  func applicable() {
    let project = Project([
      SourceFile(
        path: "a.swift",
        text: """
          protocol Service { func a(completion: @escaping (Result<Int, Error>) -> Void) }
          protocol Images { func b(completion: (() -> Void)?) }
          final class Cart {
            private var count = 0
            private var timer: DispatchWorkItem?
            func save() {
              timer?.cancel()
              let item = DispatchWorkItem { self.count += 1 }
              timer = item
              DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: item)
            }
          }
          final class Other { private var count = 0 }
          """)
    ])
    let found = migrations(of: ["Service", "Images", "Cart"], in: project)
    #expect(
      found.mapValues(\.steps).filter { !$0.value.isEmpty } == [
        "Service": ["async-twin"], "Cart": ["state-struct", "debounce"],
      ])
    #expect(found["Images"]?.refusals.map(\.step) == ["async-twin"])
    #expect(migrations(of: [], in: project).isEmpty)
  }

  @Test(
    "a protocol is refused if one of its methods has no async form",
    arguments: [
      ("func a(completion: (() -> Void)?)", "`a` has a handler that can be nil, so it promises no answer"),
      (
        "func observe(handler: @escaping (Int) -> Void)",
        "`observe` has a closure `handler` that can be called many times"
      ),
      ("func a(onEach: @escaping (Int) -> Void)", "`a` has a closure `onEach` that can be called many times"),
      ("func a(completion: @escaping () -> Bool)", "`a` has a closure that returns a value"),
      ("func a(_ b: inout Int, completion: @escaping () -> Void)", "`a` has an inout parameter"),
      (
        "func a<T>(completion: @escaping (T) -> Void)",
        "`a` is generic, and `T` is not Sendable: let it be `Sendable` first"
      ),
      (
        "func a(completion: @escaping (Data?, URLResponse?, Error?) -> Void)",
        "`a` has a handler with 3 values, which has no one result"
      ),
      (
        "func a(completion: @escaping () -> Void) -> UUID",
        "`a` returns `UUID`, and the tool does not know how that cancels the request"
      ),
      (
        "func a(completion: @escaping (Movie) -> Void)",
        "`a` passes `Movie` between threads, a class that is not Sendable: make it Sendable or a struct first"
      ),
      (
        "func a(completion: @escaping (Reviews.Page) -> Void)",
        "`a` passes `Movie` between threads, a class that is not Sendable: make it Sendable or a struct first"
      ),
      (
        "func a(_ reviews: Reviews.Sum, completion: @escaping (Reviews) -> Void)",
        "`a` passes `Reviews` between threads, a class that is not Sendable: make it Sendable or a struct first"
      ),
      ("static func a(completion: @escaping () -> Void)", "`a` is static"),
      (
        "func a(_ b: Int..., completion: @escaping () -> Void)",
        "`a` has a parameter of several values, which no call can pass on"
      ),
      ("func b(completion: @escaping () -> Void)", "`b` has the same async form as another function"),
      ("func b() async throws", "`b` has the same async form as another function"),
      (
        "func a(completion: @escaping () -> Void); var b: Int { get set }",
        "`var b: Int { get set }` is static, async, or can be set, so it does not belong to a service"
      ),
    ])
  func methods(_ method: String, _ reason: String) {
    #expect(
      refusals(
        AsyncTwinStep(),
        """
        class Movie {}
        class Reviews { struct Sum { var stars: Int }; enum Page { case first(Movie?) } }
        protocol Service { func b(done: @escaping () -> Void)
        \(method) }
        """) == [reason])
  }

  @Test(
    "a protocol is refused if an implementation does not call its handler exactly once",
    arguments: [
      (
        "self.handler = completion",
        "`Remote.a` stores its handler, so the tool cannot see that it is called once"
      ),
      (
        "handlers.append(completion)",
        "`Remote.a` stores its handler, so the tool cannot see that it is called once"
      ),
      ("completion(1); completion(2)", "`Remote.a` calls its handler twice on a path"),
      (
        "self.handler = flag ? completion : nil",
        "`Remote.a` stores its handler, so the tool cannot see that it is called once"
      ),
      ("if flag { completion(1) }", "`Remote.a` does not call its handler on a path that ends here"),
    ])
  func implementations(_ body: String, _ reason: String) {
    let text = """
      protocol Service { func a(completion: @escaping (Int) -> Void) }
      class Remote: Service {
        func a(completion: @escaping (Int) -> Void) { \(body) }
      }
      """
    #expect(refusals(AsyncTwinStep(), text) == [reason])
  }

  @Test("protocols that an adapter cannot conform to are refused, and delegates and twins are left alone")
  func protocols() {
    let method = "{ func a(completion: @escaping () -> Void) }"
    #expect(
      refusals(
        AsyncTwinStep(), "@objc protocol A \(method)\nprotocol B: Other \(method)\nprotocol C<T> \(method)")
        == [
          "an @objc protocol has no async twin: adapt its methods by hand",
          "it inherits `Other`, whose requirements an adapter would have to forward",
          "it has an associated type, so an adapter cannot store it",
        ])
    #expect(
      refusals(AsyncTwinStep(), "protocol A \(method)\nstruct AAdapter {}")
        == ["`AAdapter` is there already: rename that first"])
    #expect(
      refusals(
        AsyncTwinStep(),
        "protocol ADelegate \(method)\nprotocol B {}\nprotocol C { func c(work: () -> Void) }") == [])
  }

  @Test(
    "the state of a class that other code extends or observes is refused",
    arguments: [
      ("class Base {}\nclass AViewModel: Base { var a = 1 }", "it is a subclass of `Base`"),
      (
        "class AViewModel { var a = 1 }\nclass B: AViewModel {}",
        "`B` is a subclass, which can override its properties"
      ),
      (
        "class AViewModel { var a = [1]; var b = 1; func c() { a.removeAll { $0 == b } } }",
        "`a` changes while other code of the class runs: read what that needs into a constant before"
      ),
      (
        "class AViewModel { var a = [1]; var b = [1]; func c() { swap(&a, &b) } }",
        "`a` changes while other code of the class runs: read what that needs into a constant before"
      ),
      (
        "class AViewModel { @Published var a = 1; var b = 1 }",
        Self.observed
      ),
      (
        "class AViewModel { var a = 1 { willSet { print(1) } } }",
        "`a` has a `willSet`, which a computed property does not have"
      ),
      ("class AViewModel { var a = 1, b = 2 }", "`a` shares its declaration with another property"),
      ("class AViewModel { private var a = 1; let p = \\AViewModel.a }", "`a` is named in a key path"),
      ("class AViewModel { var a = make() }", "`a` has no written type"),
      ("enum B { static let b = make() }\nclass AViewModel { var a = B.b }", "`a` has no written type"),
      ("class AViewModel { var a = Screen.main.bounds }", "`a` has no written type"),
      ("class AViewModel { var a = Item.first(1) }", "`a` has no written type"),
      ("class AViewModel { var a = 1; var b = 2 }", "`a` shares its line with other code"),
      ("class AViewModel {\n static var a = 1\n var a = 1\n }", "`a` is also a static property"),
      (
        "class AViewModel: Codable { var a = 1 }",
        "it is `Codable`, so its properties are the format of its data"
      ),
      (
        "@objcMembers class AViewModel { var a = 1 }",
        "Objective-C code can observe its properties one by one"
      ),
      (
        "class AViewModel { var a = [1]; var b = 1; func c() { change(&a) { self.b += 1 } } }",
        "`a` changes while other code of the class runs: read what that needs into a constant before"
      ),
      (
        """
        struct A { mutating func add(_ other: () -> Int) {} }
        class AViewModel { var a = A(); var b = 1; func c() { a.add { self.b } } }
        """,
        "`a` changes while other code of the class runs: read what that needs into a constant before"
      ),
      ("class AViewModel { struct State {}; var a = 1 }", "it has a type `State` already: rename that first"),
      ("class AViewModel { var state = 1; var a = 1 }", "`state` is there already: move `a` by hand"),
      (
        "class AViewModel { var a = 1 }\nclass AViewModel { var a = 1 }",
        "the files have several classes of this name: name fewer files"
      ),
      (
        "class AViewModel { var a: Int; init() { if x { a = 1 } else { a = 2 } } }",
        "an initializer does not set `a` once, in a statement of its own"
      ),
    ])
  func structs(_ text: String, _ reason: String) {
    #expect(refusals(StateStructStep(), text) == [reason])
  }

  @Test(
    "a model that SwiftUI observes is sent to no other step",
    arguments: [
      "class AViewModel: ObservableObject {\n  @Published var a = 1\n  var b = 1\n}",
      "class AViewModel: ObservableObject {\n  struct State {}\n  var state = State()\n}",
      "@Observable class AViewModel {\n  var a = 1\n}",
    ])
  func observedBySwiftUI(_ text: String) {
    for step in [StateStructStep(), StateStoreStep()] as [any Step] {
      let all = Migration(step, [SourceFile(path: "a.swift", text: text)])
      let named = Migration(step, [SourceFile(path: "a.swift", text: text)], only: ["AViewModel"])
      #expect(all.diff == "" && named.diff == "")
      if text.contains("struct State"), step is StateStructStep { continue }
      #expect(named.refused.map(\.refusal.reason) == [Self.observed])
      #expect(all.refused.map(\.refusal.reason) == (text.hasPrefix("@Observable") ? [] : [Self.observed]))
    }
  }

  private static let observed =
    "SwiftUI observes its properties, and no step changes that: by hand, keep the state in a `StateStore`, and let views observe it with `@StateViewModel` (page UsingSwiftUI)"

  @Test(
    "a state is not published if code outside of the class could change it",
    arguments: [
      (
        "class AViewModel {\n  var a = 1\n}",
        "`a` is not part of a struct `state`: run the step state-struct first"
      ),
      (
        "class AViewModel {\n  var a = 1\n  var b = make()\n}",
        "`a`, `b` are not part of a struct `state`, and state-struct cannot collect them: `b` has no written type"
      ),
      (
        "class AViewModel { let a = Observable(1) }\nclass Screen { func f() { model.a.value = 2 } }",
        "other code sets `a`, so the state would not be the whole truth"
      ),
      ("class AViewModel { let a = Observable([]) }", "the type of the value of `a` is not written"),
      (
        "class AViewModel { let a: Observable<Int>; init(a: Observable<Int>) { self.a = a } }",
        "`a` is no box that is made in its declaration and stays"
      ),
      (
        "class AViewModel { let a = Observable(1); init() { a.value = 2 } }",
        "an initializer sets `a`: set its first value where it is declared"
      ),
      ("class AViewModel { let a = Observable(1); func f() { g(&a.value) } }", "`a` is passed as inout"),
      (
        "class AViewModel { let a = Observable<[Int]>([]); func f() { let b = a.value.removeLast() } }",
        "`a` changes within another statement: change it in a statement of its own"
      ),
      (
        "class AViewModel { let a = Observable<Int>(1); func f() { (a.value, b) = (2, 3) } }",
        "`a` changes within another statement: change it in a statement of its own"
      ),
      (
        "class AViewModel { let a = Observable<Int>(1); func f() { b ? (a.value = 2) : () } }",
        "`a` changes within another statement: change it in a statement of its own"
      ),
      (
        "class AViewModel { let a = Observable<Int>(1); func f() { let b = a; b.value = 2 } }",
        "`a` gets another name, under which it can change"
      ),
      (
        "class AViewModel { struct State { var a = 1 }; var state = State(); init() { (state.a, b) = (2, 3) } }",
        "an initializer changes `state` within another statement: change it in a statement of its own"
      ),
      (
        "class AViewModel { struct State {}; var state: State? }",
        "`state` is a `State?`, and observers of the class would expect its `State`: change one of the two"
      ),
      (
        "class AViewModel { struct State {}; var state = State(); let store = 1 }",
        "`store` is there already: rename that first"
      ),
      (
        "class Item {}\nclass AViewModel { let a = Observable<[Item]>([]) }",
        "observers of the state can be on any thread, and `Item` is a class that is not Sendable: make it Sendable or a struct first"
      ),
      (
        "class Item {}\nclass AViewModel { struct State { var a: Item? }; var state = State() }",
        "observers of the state can be on any thread, and `Item` is a class that is not Sendable: make it Sendable or a struct first"
      ),
      (
        "class AViewModel { let state = 1; let a = Observable(1) }",
        "`state` or `State` is there already: rename that first"
      ),
    ])
  func stores(_ text: String, _ reason: String) {
    #expect(refusals(StateStoreStep(), text) == [reason])
  }

  @Test("the store of a public class stays internal with its state")
  func publicClass() {
    expectMigration(
      StateStoreStep(), "public class AViewModel {\n  struct State {}\n  private var state = State()\n}\n",
      to: """
        import AsyncViewModels

        // TODO: [migrate] Do other modules observe `AViewModel`? Then make `State` and `store` public, and
        // conform to `StateSource`.
        public class AViewModel {
          struct State {}
          let store = StateStore(State())

          private var state: State {
            get { store.value }
            set { store.send(newValue) }
          }
        }

        """)
  }

  @Test("other types are changed only if the caller names them")
  func named() {
    let text = "final class Cart {\n  private var a = 1\n  func b() { a += 1 }\n}\n"
    expectMigration(StateStructStep(), text, to: text)
    let others = text + "struct Price {}\nextension Basket { func f() {} }"
    let unchanged = Migration(
      StateStructStep(), [SourceFile(path: "a.swift", text: others)], only: ["Basket", "Price", "Cash"])
    #expect(unchanged.unknown == ["Basket", "Cash"])
    #expect(unchanged.unconcerned.map(\.subject) == ["Price"])
    #expect(
      unchanged.report(isWritten: false) == """
        a.swift:5:1: nothing to do: Price: state-struct looks for a class with values that change and are in
          no struct `state`
        state-struct: would change nothing; 0 refused, 0 to decide

        """)
    expectMigration(
      StateStructStep(), text,
      to: """
        final class Cart {
          struct State {
            var a = 1
          }

          private var state = State()
          func b() { state.a += 1 }
        }

        """, only: ["Cart"])
  }
}
