import Foundation
import Testing

@testable import Audit

@Suite("Plan", .timeLimit(.minutes(5)))
struct PlanTests {
  @Test("closures: the service gets an async form first, then the pilot goes through the steps")
  func closuresFirst() throws {
    let plan = plan([
      "Service.swift": planService, "ViewModel.swift": planClosures, "Screen.swift": planScreen,
    ])
    #expect(plan.order.map(\.name) == ["UserService", "UserViewModel"])
    #expect(plan.order.map(\.isPilot) == [false, true])
    let model = try #require(plan.viewModels.first)
    #expect(model.form == "closures" && model.verdict == .migrate && model.completionHandlers == 1)
    #expect(model.evidence == ["its name", "held by UserViewController"])
    #expect(model.services == ["UserService"] && model.callers == ["UserViewController"])
    #expect(
      model.steps.map(\.page) == [
        "Step2CollectTheState", "Step4PublishAStream", "Step7UseAnActor", "Step8Await",
        "Step9RemoveTheBridge",
      ])
    let user = try #require(plan.services.first)
    #expect(user.form == "completion handlers" && user.implementations == ["HTTPUserService"])
    #expect(user.viewModels == ["UserViewModel"] && user.effort.new == 18)
  }

  @Test("the effort counts each line once, and the lines of callers by file")
  func effort() throws {
    let plan = plan([
      "Service.swift": planService, "ViewModel.swift": planClosures, "Screen.swift": planScreen,
    ])
    let model = try #require(plan.viewModels.first)
    // State: 5, 6, 10, 12, 13. Callback: 2, 13. Queue: 3, 9. Call: 11 to 14.
    #expect(model.steps.map(\.lines) == [5, 2, 2, 4, 2])
    #expect(model.effort.own == 10)
    #expect(model.effort.callers.map(\.path) == ["App/Screen.swift"] && model.effort.callers[0].lines == 2)
    #expect(plan.order.last?.lines == 12)
  }

  @Test("the text of a small app")
  func text() {
    let plan = plan([
      "Service.swift": planService, "ViewModel.swift": planClosures, "Screen.swift": planScreen,
    ])
    #expect(plan.text() == golden)
  }

  @Test("an Observable that no file declares belongs to RxSwift only if a file imports it")
  func observables() {
    func forms(_ importing: String) -> [String] {
      plan(["Model.swift": importing + "final class AViewModel { let name: Observable<String> }"]).viewModels
        .map(\.form)
    }
    #expect(forms("") == ["boxes"])
    #expect(forms("import RxSwift\n") == ["RxSwift"])
  }

  @Test("boxes that tasks change on any thread migrate, and those of the main actor stay")
  func tasks() {
    func verdict(_ attribute: String) -> Plan.ViewModel {
      plan([
        "Model.swift": """
        final class Box<T> { var value: T { didSet { listener?(value) } }; var listener: ((T) -> Void)? }
        protocol Search { func search() async -> [Int] }
        \(attribute)final class AViewModel {
          let items: Box<[Int]>
          let useCase: Search
          func load() { Task { items.value = await useCase.search() } }
        }
        """
      ]).viewModels[0]
    }
    #expect(verdict("").verdict == .migrate)
    #expect(verdict("").steps.map(\.page) == ["Step4PublishAStream", "Step7UseAnActor"])
    #expect(verdict("@MainActor ").verdict == .stay)
  }

  @Test("a coordinator, and a state struct, are no properties that a struct replaces")
  func stateProperties() {
    let plan = plan([
      "Service.swift": planService,
      "Model.swift": """
      final class Coordinator { var window: UIWindow? }
      final class AViewModel {
        struct State { var name = "", count = 0 }
        var coordinator: Coordinator?
        var state = State()
        let service: UserService
        var onChange: (() -> Void)?
        func load() { service.user(1) { [weak self] _ in self?.onChange?() } }
      }
      """,
    ])
    #expect(plan.viewModels.map(\.verdict) == [.migrate])
    #expect(!plan.viewModels[0].steps.map(\.page).contains("Step2CollectTheState"))
  }

  @Test("a delegate, boxes, Combine, RxSwift, @Observable and an actor are told apart")
  func forms() {
    let plan = plan([
      "Forms.swift": """
      final class Box<T> { var value: T { didSet { listener?(value) } }; var listener: ((T) -> Void)? }
      final class AViewModel { let name: Box<String>; let count: Box<Int> }
      final class BViewModel { weak var delegate: BViewModelDelegate? }
      final class CViewModel: ObservableObject { @Published var name = "" }
      final class DViewModel { let name = BehaviorRelay<String>(value: "") }
      @Observable final class EViewModel { var name = "" }
      actor FViewModel: ViewModelActor {}
      final class GViewModel { let name = "" }
      final class HViewModel: CallbackStateSource { let store: CallbackState<Int> }
      final class IViewModel { func load() async {} }
      class Model: ObservableObject { @Published var name = "" }
      final class KViewModel: Model {}
      class LViewModel: MViewModel {}
      class MViewModel: LViewModel {}
      struct JViewModel { let name: String }
      """
    ])
    #expect(
      plan.viewModels.map(\.form) == [
        "boxes", "delegate", "Combine", "RxSwift", "@Observable", "actor", "no publication", "callback state",
        "async", "Combine", "no publication", "no publication",
      ])
    #expect(plan.values == ["JViewModel"])
  }

  @Test("a view model stays with its reason if nothing waits in it")
  func stays() {
    let plan = plan([
      "A.swift": """
      final class CViewModel: ObservableObject { @Published var name = "" }
      @Observable final class EViewModel { var name = ""; func load() async {} }
      final class QPresenter {
        private let queue = DispatchQueue(label: "q")
        var onChange: (() -> Void)?
        func run() { queue.async { self.onChange?() } }
      }
      """
    ])
    #expect(plan.order.isEmpty && plan.viewModels.allSatisfy { $0.verdict == .stay })
    #expect(
      plan.viewModels.map { $0.reason.prefix(14) } == ["Combine is eno", "already async", "GCD is right: "])
    #expect(plan.text().contains("Nothing to migrate."))
  }

  @Test("Combine with completion handlers is migrated, and its sinks stay")
  func combine() throws {
    let plan = plan([
      "Service.swift": planService,
      "A.swift": """
      final class UserViewModel: ObservableObject {
        @Published var name = ""
        private let service: UserService
        func load() { service.user(1) { self.name = (try? $0.get()) ?? "" } }
      }
      """,
    ])
    let model = try #require(plan.viewModels.first)
    #expect(model.form == "Combine" && model.verdict == .migrate)
    #expect(model.steps.contains { $0.page == "Step4PublishAStream" && $0.change.contains("publisher()") })
  }

  @Test(
    "a request with a handler that a dispatcher takes is a call that waits",
    arguments: [
      "stores.dispatch(OrderAction.order(1) { [weak self] in self?.order = try? $0.get() })",
      "stores.dispatch(.order(id: 1, onCompletion: { [weak self] in self?.order = try? $0.get() }))",
      "let action = OrderAction.order(1) { [weak self] in self?.order = $0 }\n stores.dispatch(action)",
      "bus.send(OrderRequest(id: 1) { [weak self] in self?.order = $0 })",
    ])
  func dispatcher(code: String) throws {
    let plan = plan([
      "A.swift": """
      final class OrderViewModel {
        private(set) var order: Int?
        var onReload: (() -> Void)?
        let stores: StoresManager, bus: Bus
        func load() { \(code) }
      }
      """
    ])
    let model = try #require(plan.viewModels.first)
    #expect(model.verdict == .migrate && model.completionHandlers == 1)
    let change = try #require(model.steps.first { $0.page == "Step8Await" }).change
    #expect(
      change.contains("by hand: an async function beside `\(code.contains("bus") ? "send" : "dispatch")`"))
  }

  @Test(
    "a value with a closure that is no request does not wait",
    arguments: [
      "menu.perform(UIAction(title: \"A\") { _ in self.order = 1 })", "bus.send(Event.opened(1))",
      "bus.send(items.map { $0.id })",
    ])
  func noDispatcher(code: String) throws {
    let plan = plan([
      "A.swift": "final class OrderViewModel { private(set) var order: Int?; func load() { \(code) } }"
    ])
    #expect(try #require(plan.viewModels.first).verdict == .stay)
  }

  @Test("hazards that a capture list or a check repairs do not move a view model")
  func repair() {
    let plan = plan([
      "A.swift": """
      final class AViewModel: ObservableObject {
        @Published var name = ""
        var count = 0
        var bag: Set<AnyCancellable> = []
        func start() { $name.sink { self.count = $0.count }.store(in: &bag) }
      }
      @Observable final class BViewModel {
        var name: String?
        func load() async {
          guard name == nil else { return }
          name = await fetch()
        }
      }
      """
    ])
    #expect(plan.viewModels.map(\.verdict) == [.repair, .repair] && plan.order.isEmpty)
    #expect(
      plan.viewModels.map { $0.hazards.keys.sorted() } == [
        ["strong-self-subscription"], ["check-before-await"],
      ])
    #expect(plan.text().contains("Repair: AViewModel (1 hazard): its form is enough"))
  }

  @Test("queues, routers and presenters of screens are no services and no view models")
  func otherRoles() {
    let plan = plan([
      "A.swift": """
      protocol QueueType { func async(execute work: @escaping () -> Void) }
      protocol AppRouter { func show(completion: @escaping (Bool) -> Void) }
      final class AViewModel {
        let queue: QueueType, router: AppRouter
        func run() { queue.async {}; router.show { _ in } }
      }
      final class AlertPresenter { let navigationController: UINavigationController }
      """
    ])
    #expect(plan.services.isEmpty && plan.viewModels.map(\.name) == ["AViewModel"])
  }

  @Test("tests are no callers, and say whether a step can begin")
  func tests() {
    let test =
      "import XCTest\nfinal class UserTests: XCTestCase { func testLoad() { UserViewModel(service: x).load() } }"
    let files = ["Service.swift": planService, "ViewModel.swift": planClosures]
    let with = plan(files.merging(["UserTests.swift": test]) { $1 })
    #expect(with.viewModels[0].tests == ["UserTests.swift"] && with.viewModels[0].callers.isEmpty)
    #expect(!with.text().contains("Step1WriteTests"))
    #expect(plan(files).text().contains("in these paths for 0 of 1 view model"))
  }

  @Test("a large app fits one page of 60 lines, and --all prints each entry")
  func page() {
    var files = ["Service.swift": planService]
    for index in 0..<60 {
      files["\(index).swift"] = planClosures.replacingOccurrences(
        of: "UserViewModel", with: "A\(index)ViewModel")
    }
    let plan = plan(files)
    let lines = plan.text().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 61 && lines.allSatisfy { $0.count <= 100 })
    #expect(plan.text().contains("more: --all or --json prints them"))
    #expect(plan.order.allSatisfy { plan.text(isComplete: true).contains("\($0.number). \($0.name)") })
  }

  @Test("each page and each recipe that a plan names is in the guide")
  func pages() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../..").standardized
    let guide = root.appending(path: GuidePage.folder)
    for page in GuidePage.allCases {
      #expect(FileManager.default.fileExists(atPath: guide.appending(path: page.rawValue + ".md").path))
    }
    let recipes = try String(
      contentsOf: guide.appending(path: "../MigrationRecipes.md").standardized, encoding: .utf8)
    let sections = recipes.split(separator: "\n").filter { $0.hasPrefix("## ") }
      .map { $0.dropFirst(3).filter { $0 != "," }.replacing(" ", with: "-") }
    for recipe in Recipe.allCases { #expect(sections.contains(recipe.rawValue)) }
  }

  @Test("an empty project and bad paths")
  func badInput() throws {
    #expect(plan([:]).text().contains("Nothing to migrate: these paths have no view models"))
    #expect(throws: PlanError.noPath) { try Plan(of: []) }
    #expect(throws: PlanError.missing("/no/such")) { try Plan(of: ["/no/such"]) }
    let folder = FileManager.default.temporaryDirectory.path + "/plan-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(throws: PlanError.noSwiftFile([folder])) { try Plan(of: [folder]) }
    try "func {".write(toFile: folder + "/A.swift", atomically: true, encoding: .utf8)
    #expect(try Plan(of: [folder]).problems.count == 1)
  }

  @Test("JSON has the parts of the numbers, and is the same each time")
  func json() throws {
    let files = ["Service.swift": planService, "ViewModel.swift": planClosures, "Screen.swift": planScreen]
    let text = plan(files).json
    #expect(text == plan(files).json)
    let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let models = try #require(json["viewModels"] as? [[String: Any]])
    #expect((models[0]["effort"] as? [String: Any])?["own"] as? Int == 10)
    #expect((json["order"] as? [Any])?.count == 2)
  }
}

private let golden = """
  App: 3 files

  View models     1: closures 1
  Services        1: completion handlers 1
  Screens         1
  Hazards         0; none in a view model
  Tests           in these paths for 0 of 1 view model to move: begin the others with Step1WriteTests

  Order: 2 entries, about 30 lines; the app compiles and ships after each
  Steps are pages of Sources/AsyncViewModels/AsyncViewModels.docc/FromAViewController
  1. UserService                                      18 new lines
     next      Step6AwaitTheService: an async twin of user, and an adapter in each direction
     stays     HTTPUserService and every caller, unchanged
  2. UserViewModel  the pilot                         12 lines
     now       closures, 1 call with a completion handler, of UserService
     next      Step2CollectTheState: a struct replaces 2 properties (isLoading, name)
     then      Step4PublishAStream: a StateStore replaces 1 callback: onChange · Step7UseAnActor: an
               actor replaces 1 × queue, 1 × queue.async · Step8Await: await replaces 1 completion
               handler
     callers   Screen.swift 2: later, one by one; the old form stays as a bridge

  """
