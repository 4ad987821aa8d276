import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing

#if canImport(SwiftUI)
  import SwiftUI
#endif

actor NotesViewModel: ViewModelActor {
  nonisolated let modelState: ModelState<ViewState<[String]>>
  private let service: any NotesService
  private let alerts = EventChannel<String>()
  private let slot = TaskSlot(.join)

  init(service: any NotesService, isolation: (any Actor)? = nil) {
    modelState = ModelState(.idle, on: isolation)
    self.service = service
  }

  nonisolated func events() -> AsyncStream<String> { alerts.stream() }

  func load() async {
    store.send(.loading)
    await slot.run(on: self) { [service] in
      try await service.notes()
    } commit: { model, outcome in
      switch outcome {
      case .success(let notes): model.store.send(.loaded(notes))
      case .failure(let error): model.fail(error)
      case .cancelled: model.store.send(.idle)
      }
    }
  }

  private func fail(_ error: any Error) {
    store.send(.failed(error))
    alerts.keepForFirstObserver("\(error)")
  }
}

struct NotesView: View {
  @StateViewModel private var notes: ObservedViewModel<NotesViewModel>

  init(service: any NotesService) { _notes = StateViewModel(NotesViewModel(service: service)) }

  var body: some View {
    List(notes.state.value ?? [], id: \.self) { Text($0) }
      .initialTask(of: notes) { await $0.load() }
  }
}

protocol NotesService: Sendable {
  func notes() async throws -> [String]
}

struct Notebook: NotesService {
  struct Missing: Error {}

  private let contents: [String]?

  init(_ contents: [String]?) { self.contents = contents }

  func notes() async throws -> [String] {
    guard let contents else { throw Missing() }
    return contents
  }
}

struct SlowNotebook: NotesService {
  private let wait: @Sendable () async throws -> Void

  init(_ wait: @escaping @Sendable () async throws -> Void) { self.wait = wait }

  func notes() async throws -> [String] {
    try await wait()
    return ["milk"]
  }
}

/// The code of the article `YourFirstViewModel`.
@Suite("Article: your first view model", .timeLimit(.minutes(5)))
struct YourFirstViewModelTests {
  @Test("a load shows the notes")
  func load() async {
    let model = NotesViewModel(service: Notebook(["milk"]))
    await model.load()
    #expect(model.state.value == ["milk"])
  }

  @Test("two loads and a cancelled caller leave no load in progress")
  func interleavings() async throws {
    try await simulate(seeds: 1...1_000) { world in
      let service = SlowNotebook { try await world.faults.latency() }
      let model = NotesViewModel(service: service, isolation: world.isolation)
      let screen = world.spawn("screen") { await model.load() }
      world.spawn("second screen") { await model.load() }
      world.spawn("leave") { screen.cancel() }
      await world.settle()
      world.expect(!model.state.isLoading, "the list is still loading")
    }
  }

  @Test("a failed load ends the loading state, and its alert waits for the first observer")
  func failure() async throws {
    let model = NotesViewModel(service: Notebook(nil))
    await model.load()
    #expect(model.state.error is Notebook.Missing)
    try await StateRecorder(model.events()).first { $0 == "Missing()" }
  }

  #if !canImport(SwiftUI)
    @Test("the task of the view loads the notes, and the list shows them")
    @MainActor
    func view() async throws {
      let view = NotesView(service: Notebook(["milk", "eggs"]))
      let list = try #require(view.body as? ViewWithTask<List<Text>>)
      #expect(list.content.rows.isEmpty)
      await list.task()
      try await until {
        (view.body as? ViewWithTask<List<Text>>)?.content.rows.map(\.text) == ["milk", "eggs"]
      }
    }
  #endif

  @Test("the code of this file contains the examples of the article, in the same order")
  func examples() throws {
    try expectExamples(of: Repository.article("YourFirstViewModel"), in: "YourFirstViewModelTests.swift")
  }
}
