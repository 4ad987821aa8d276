import Testing

@testable import Audit

@Suite("Plan: which types it sees", .timeLimit(.minutes(5)))
struct PlanTypesTests {
  @Test("a service whose async form exists needs no other one, and a later view model replaces the older")
  func twins() {
    let plan = plan([
      "A.swift": """
      protocol UserClosureService { func user(completion: @escaping (Result<String, Error>) -> Void) }
      protocol UserService { func user() async throws -> String }
      final class UserClosureViewModel: CallbackStateSource {
        let store: CallbackState<Int>
        let service: UserClosureService
        func load() { service.user { _ in } }
      }
      final class UserStreamViewModel: StateSource { let service: UserClosureService }
      final class PageClosureViewModel: CallbackStateSource { let user: UserClosureViewModel }
      actor PageViewModel: ViewModelActor { let user: UserViewModel }
      actor UserViewModel: ViewModelActor { let service: any UserService }
      """
    ])
    #expect(plan.services.map(\.twin) == ["UserService", nil])
    // The page is deleted before the user that it uses.
    #expect(
      plan.order.map(\.name) == ["PageClosureViewModel", "UserClosureViewModel", "UserStreamViewModel"])
    #expect(plan.viewModels.map(\.verdict) == [.replace, .stay, .replace, .replace, .stay])
    #expect(plan.viewModels[2].reason.hasPrefix("UserViewModel "))
  }

  @Test("a class that a screen holds and that calls a service is a view model, whatever its name is")
  func role() {
    let plan = plan([
      "Service.swift": planService,
      "A.swift": """
      final class ProfileStore: ObservableObject {
        @Published var name = ""
        let service: UserService
        func load() { service.user(1) { self.name = (try? $0.get()) ?? "" } }
      }
      final class UserManager { func user() async -> String { "" } }
      struct ProfileView: View {
        @StateObject var store: ProfileStore
        let manager: UserManager
        var body: some View { Text(store.name).task { await manager.user() } }
      }
      """,
    ])
    #expect(plan.viewModels.map(\.name) == ["ProfileStore"])
    #expect(plan.viewModels.first?.evidence == ["held by ProfileView"])
    #expect(plan.services.map(\.name) == ["UserManager", "UserService"])
  }

  @Test("what the plan cannot see is said")
  func unseen() {
    let plan = plan([
      "A.swift": """
      @Injected final class AViewModel { let service: OrderService }
      struct X { final class RowViewModel {} }
      struct Y { final class RowViewModel {} }
      """
    ])
    let text = plan.unseen.joined(separator: "; ")
    #expect(text.contains("2 × RowViewModel") && text.contains("callers of AViewModel"))
    #expect(text.contains("OrderService, outside of the paths") && text.contains("@Injected"))
    #expect(plan.viewModels.map(\.name) == ["AViewModel"])
  }

  @Test("a class gets async functions of its own, and parts of an answer become a stream")
  func services() throws {
    let plan = plan([
      "A.swift": """
      final class ImageCache {
        func image(completion: @escaping (Int) -> Void) {}
        func count() async -> Int { 0 }
      }
      protocol MovieRepository {
        func movies(cached: @escaping (Int) -> Void, completion: @escaping (Result<Int, Error>) -> Void)
        func save(success: @escaping (Int) -> Void, failure: @escaping (Error) -> Void)
      }
      final class AViewModel {
        var onChange: (() -> Void)?
        let cache: ImageCache, movies: MovieRepository
        func load() {
          cache.image { _ in self.onChange?() }
          movies.movies(cached: { _ in }, completion: { _ in })
        }
      }
      """
    ])
    let cache = try #require(plan.services.first), movies = try #require(plan.services.last)
    #expect(!cache.isProtocol && cache.handlers == ["image"] && cache.effort.new == 7)
    #expect(movies.isProtocol && movies.partial == ["movies"] && movies.effort.new == 27)
    let text = plan.text(isComplete: true).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      text.contains("async functions beside image, see MigrationRecipes#Name-an-async-method-beside-an-old"))
    #expect(
      text.contains(
        "twin of movies, save, and an adapter in each direction; movies answers in parts: MigrationRecipes#"
      ))
  }

  @Test("boxes go into the store, and not into the struct before")
  func boxes() throws {
    let plan = plan([
      "Service.swift": planService,
      "A.swift": """
      final class Box<T> { var value: T { didSet { listener?(value) } }; var listener: ((T) -> Void)? }
      final class AViewModel {
        let name: Box<String>, count: Box<Int>, service: UserService
        var page = 0, total = 0
        func load() { service.user(1) { _ in self.page += 1 } }
      }
      """,
    ])
    let steps = try #require(plan.viewModels.first).steps
    #expect(steps[0].change == "a struct replaces 2 properties (page, total)")
    #expect(steps[1].change == "a StateStore replaces 2 boxes: count, name")
  }

  @Test("a view model whose hazards no step removes is repaired, and not moved")
  func noStepHelps() throws {
    let plan = plan([
      "A.swift": """
      final class UserManager { func user() async -> String { "" } }
      final class AViewModel: ObservableObject {
        @Published var name: String?
        let manager: UserManager
        func load() async {
          guard name == nil else { return }
          name = await manager.user()
        }
      }
      """
    ])
    let model = try #require(plan.viewModels.first)
    #expect(model.hazards == ["check-before-await": 1])
    #expect(model.verdict == .repair && model.steps.isEmpty && model.effort.total == 0)
    #expect(model.reason.contains("a TaskSlot"))
  }

  @Test("parts of screens are no view models, and actions of alerts are no services")
  func partsOfScreens() {
    let plan = plan([
      "Service.swift": planService,
      "A.swift": """
      struct Alerts { static func ok(_ handler: @escaping (Int) -> Void) -> UIAlertAction {} }
      class Base: ListSectionController {}
      final class RowController: Base {
        var onChange: (() -> Void)?
        let service: UserService
        func load() { service.user(1) { _ in Alerts.ok { _ in } } }
      }
      final class Feed {
        var onChange: (() -> Void)?
        let refresh = UIRefreshControl()
        let service: UserService
        func load() { service.user(1) { _ in self.onChange?() } }
      }
      final class UserViewController: UIViewController { let row: RowController, feed: Feed }
      """,
    ])
    #expect(plan.viewModels.isEmpty && plan.services.map(\.name) == ["UserService"])
    #expect(plan.screens == 3 && plan.callingScreens.map(\.path) == ["RowController"])
  }

  @Test("functions that a framework calls and closures that are work make no service")
  func frameworkCallbacks() {
    let plan = plan([
      "A.swift": """
      final class NotificationService: UNNotificationServiceExtension {
        override func didReceive(_ a: Int, withContentHandler handler: @escaping (Int) -> Void) {}
      }
      final class PushService: NSObject, UNUserNotificationCenterDelegate {
        func center(_ center: Int, willPresent: Int, withCompletionHandler: @escaping (Int) -> Void) {}
      }
      final class TaskService { func run(task: @escaping @Sendable () async throws -> Void) {} }
      """
    ])
    #expect(plan.services.isEmpty)
  }

  @Test("without view models, the plan begins in the screens that call services")
  func screensAlone() {
    let plan = plan([
      "Service.swift": planService,
      "A.swift": """
      final class UserViewController: UIViewController {
        let service: UserService
        func load() { service.user(1) { _ in } }
      }
      """,
    ])
    #expect(plan.callingScreens.map(\.path) == ["UserViewController"])
    #expect(
      plan.text().contains("No view model to move: begin with Step1WriteTests and Step3ExtractTheViewModel"))
    #expect(!plan.text().contains("Nothing to migrate"))
  }

  @Test("calls of services outside of the paths count if they pass a completion handler")
  func foreignServices() throws {
    let plan = plan([
      "A.swift": """
      final class AViewModel {
        var onChange: (() -> Void)?
        private let service: (any OrderService)?
        func load() {
          service?.load(completion: receive)
          self.service!.save { self.onChange?() }
          service?.observe { _ in }
          service?.items.map { $0 }
        }
      }
      """
    ])
    let model = try #require(plan.viewModels.first)
    #expect(model.completionHandlers == 2 && model.services == ["OrderService"])
    #expect(model.verdict == .migrate && plan.order.map(\.name) == ["AViewModel"])
  }

  @Test("a class on the main actor stays there")
  func mainActor() throws {
    let plan = plan([
      "Service.swift": planService,
      "A.swift": """
      @MainActor final class UserViewModel: ObservableObject {
        @Published var name = ""
        private let service: UserService
        func load() { service.user(1) { _ in DispatchQueue.main.async { self.name = "" } } }
      }
      """,
    ])
    let steps = try #require(plan.viewModels.first).steps
    #expect(steps.map(\.page) == ["Step4PublishAStream", "Step7UseAnActor", "Step8Await"])
    #expect(steps[1].change == "the class stays on the main actor, which replaces 1 × main.async")
  }
}
