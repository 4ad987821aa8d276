import Foundation
import Testing

@testable import Audit

@Suite("Plan: the order, and what begins each entry", .timeLimit(.minutes(5)))
struct PlanOrderTests {
  @Test("the shared parts come first, then hazards per line, whatever the names are")
  func order() {
    func model(_ name: String, _ uses: String, hazard: Bool = false, lines: Int = 0) -> String {
      """
      final class \(name)ViewModel {
        var onChange: (() -> Void)?
        private let service: UserService
        \(uses.isEmpty ? "" : "private let child: \(uses)ViewModel")
        var profile: String?
        func load() { service.user(1) { _ in
          \(String(repeating: "print()\n", count: 10 + lines))
          self.onChange?() } }
        \(hazard ? "func check() async { guard profile == nil else { return }\n profile = await fetch() }" : "")
      }
      """
    }
    let plan = plan([
      "A.swift": model("A", "Z"), "B.swift": model("B", "", lines: 5),
      "C.swift": model("C", "", hazard: true, lines: 9),
      "D.swift": model("D", ""), "Z.swift": model("Z", "", lines: 20), "Service.swift": planService,
    ])
    // D is the pilot: it has the fewest lines. C has a hazard. A needs Z.
    #expect(
      plan.order.map(\.name)
        == ["UserService", "DViewModel", "CViewModel", "BViewModel", "ZViewModel", "AViewModel"])
  }

  @Test("a cycle is named, and both view models are in the order")
  func cycle() {
    let plan = plan([
      "Service.swift": planService,
      "A.swift": """
      final class AViewModel {
        var onChange: (() -> Void)?
        let b: BViewModel, service: UserService
        func load() { service.user(1) { _ in self.onChange?() } }
      }
      final class BViewModel {
        var onChange: (() -> Void)?
        weak var a: AViewModel?
        let service: UserService
        func load() { service.user(2) { _ in self.onChange?() } }
      }
      """,
    ])
    #expect(plan.cycles == [["AViewModel", "BViewModel"]])
    #expect(Set(plan.order.map(\.name)) == ["UserService", "AViewModel", "BViewModel"])
    #expect(plan.text().contains("AViewModel ↔ BViewModel"))
    let idle = idleCycle()
    #expect(idle.cycles.count == 1 && !idle.text().contains("Cycles"))
  }

  private func idleCycle() -> Plan {
    plan([
      "A.swift": """
      final class AViewModel: ObservableObject { @Published var b: BViewModel? }
      final class BViewModel: ObservableObject { weak var a: AViewModel? }
      """
    ])
  }

  @Test("the next step is the one that the command makes, and the others follow")
  func nextIsRun() {
    let files = [SourceFile(path: "App/A.swift", text: planService + "\n" + planClosures)]
    func text(_ steps: [String]) -> String {
      Plan(["App"], files, []) { _, _ in ["UserViewModel": .init(steps: steps)] }.text()
    }
    let store = text(["state-store"])
    #expect(store.contains("   next      Step4PublishAStream: a StateStore"))
    #expect(store.contains("   then      Step2CollectTheState: "))
    #expect(text(["debounce"]).contains("   next      debounce: see Scripts/migrate --list\n"))
    #expect(store.contains("   by hand   no step of migrate changes it: follow the page, from A.swift:1\n"))
  }

  @Test("an entry names the steps of migrate that change its type now")
  func migrations() {
    let files = [SourceFile(path: "My App/A.swift", text: planService + "\n" + planClosures)]
    let plan = Plan(["My App"], files, []) { _, names in
      #expect(names == ["UserService", "UserViewModel"])
      return [
        "UserService": .init(refusals: [.init(step: "async-twin", reason: "`user` has two handlers")]),
        "UserViewModel": .init(steps: ["state-struct", "request-slot"]),
      ]
    }
    #expect(plan.order.map(\.migrations) == [[], ["state-struct", "request-slot"]])
    #expect(
      plan.text().contains(
        """
           by hand   async-twin is refused at A.swift:1: `user` has two handlers; or write async functions
                     beside its own: MigrationRecipes#Name-an-async-method-beside-an-old-one
        """))
    #expect(
      plan.text().contains(
        """
           run       Scripts/migrate state-struct 'My App' --only UserViewModel; likewise request-slot
           then      Step4
        """))
  }

  /// Three models that call a service, from the smallest, and the steps that change types now.
  private func ordered(_ found: [String: Plan.Migrations]) -> Plan {
    func model(_ name: String, lines: Int) -> String {
      """
      final class \(name)ViewModel {
        var onChange: (() -> Void)?
        private let service: \(name)Service
        func load() { service.user(1) { _ in
          \(String(repeating: "print()\n", count: lines))
          self.onChange?() } }
      }
      \(planService.replacing("UserService", with: name + "Service"))
      """
    }
    let text = model("A", lines: 10) + "\n" + model("B", lines: 20) + "\n" + model("C", lines: 30)
    return Plan(["App"], [SourceFile(path: "App/A.swift", text: text, in: "App")], []) { _, _ in found }
  }

  @Test("a team begins with a view model that commands can begin, with its services")
  func commandsFirst() {
    #expect(ordered([:]).order.map(\.name).prefix(2) == ["AService", "AViewModel"])
    let some = ordered([
      "AViewModel": .init(steps: ["state-store"]), "CViewModel": .init(steps: ["state-store"]),
      "CService": .init(steps: ["async-twin"]),
    ])
    #expect(
      some.order.map(\.name)
        == ["CService", "CViewModel", "AService", "AViewModel", "BService", "BViewModel"])
    #expect(some.order.map(\.isPilot) == [false, true, false, false, false, false])
    #expect(!some.text().contains("Entry 1 is by hand"))
  }

  @Test("if entry 1 is by hand, the plan names the smallest entry that a command can begin before it")
  func begin() {
    let plan = ordered([
      "BViewModel": .init(steps: ["state-store"]), "CViewModel": .init(steps: ["debounce"]),
    ])
    #expect(plan.order[0].name == "AService" && plan.order[3].name == "BViewModel")
    #expect(
      plan.text().contains(
        """
        Entry 1 is by hand. A command can begin entry 4 before it:
           run       Scripts/migrate state-store App --only BViewModel

        """))
  }

  @Test("a refusal names the place to look at")
  func refusalPlace() throws {
    let file = SourceFile(path: "App/Image.swift", text: "\n\nfinal class Image {}")
    let place = try #require(file.tree.statements.first.map { file.place($0) })
    let plan = ordered([
      "AViewModel": .init(refusals: [.init(step: "state-store", reason: "`Image` is a class", at: place)])
    ])
    #expect(
      plan.text().contains("   by hand   state-store is refused at Image.swift:3: `Image` is a class\n"))
    #expect(plan.order[1].refusals.map(\.line) == [3])
  }

  @Test("one property is a struct, too, because a command makes a store of a struct")
  func oneProperty() throws {
    let plan = plan([
      "Service.swift": planService,
      "A.swift": planClosures.replacing("  private var isLoading = false\n", with: "")
        .replacing("      self.isLoading = true\n", with: ""),
    ])
    let change = try #require(plan.viewModels.first?.steps.first).change
    #expect(change == "a struct replaces 1 property (name)")
  }

  @Test("the plan and the audit count the same files")
  func files() {
    let files = [
      "A.swift": planClosures, "Tests.swift": "import XCTest", "B.generated.swift": planService,
    ]
    let sources = files.map { SourceFile(path: "App/" + $0.key, text: $0.value, in: "App") }
    let report = Analysis(rules: rules).check(Project(sources), [])
    #expect(report.files == 1 && report.unchecked == 2 && plan(files).files == report.files)
    #expect(report.summary.hasSuffix(" in 1 file; 2 files of tests or generated code not checked\n"))
  }
}
