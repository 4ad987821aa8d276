import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Testing

actor NotesViewModel: ViewModelActor {
  struct State: Equatable, Sendable {
    var notes: [String] = []
    var isLoading = false
  }

  nonisolated let hosted: HostedState<State>
  private let service: any NotesService
  private let alerts = EventChannel<String>()
  private let slot = TaskSlot(.latest)

  init(service: any NotesService, isolation: any Actor = Isolation()) {
    hosted = HostedState(State(), on: isolation)
    self.service = service
  }

  nonisolated func events() -> AsyncStream<String> { alerts.stream() }

  func load() async {
    store.update { $0.isLoading = true }
    await slot.run(on: self) { [service] in
      try await service.notes()
    } commit: { model, outcome in
      model.receive(outcome)
    }
  }

  private func receive(_ outcome: TaskOutcome<[String]>) {
    store.update { state in
      state.isLoading = false
      if case .success(let notes) = outcome { state.notes = notes }
    }
    if case .failure(let error) = outcome { alerts.keepForFirstObserver("\(error)") }
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
@Suite("Article: your first view model", .timeLimit(.minutes(1)))
struct FirstViewModelTests {
  @Test("a load shows the notes")
  func load() async {
    let model = NotesViewModel(service: Notebook(["milk"]))
    await model.load()
    #expect(model.state == NotesViewModel.State(notes: ["milk"]))
  }

  @Test("two loads and a cancelled caller leave no load in progress")
  func interleavings() async throws {
    try await simulate(seeds: 1...1_000) { world in
      let service = SlowNotebook { try await world.faults.latency() }
      let model = NotesViewModel(service: service, isolation: world.isolation)
      let screen = world.spawn("screen") { await model.load() }
      world.spawn("refresh") { await model.load() }
      world.spawn("leave") { screen.cancel() }
      await world.settle()
      world.expect(!model.state.isLoading, "the list is still loading")
    }
  }

  @Test("a failed load ends the loading state, and its alert waits for the first observer")
  func failure() async throws {
    let model = NotesViewModel(service: Notebook(nil))
    await model.load()
    #expect(model.state == NotesViewModel.State())
    try await StateRecorder(model.events()).first { $0 == "Missing()" }
  }

  @Test("the code of this file contains the examples of the article, in the same order")
  func examples() throws {
    // SwiftUI is not available on Linux.
    try expectExamples(
      of: Repository.article("YourFirstViewModel"),
      in: "FirstViewModelTests.swift",
      except: { $0.contains(": View {") })
  }
}
