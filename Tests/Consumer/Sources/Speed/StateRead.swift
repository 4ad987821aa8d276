import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import StorefrontViewModels

/// Reads of the state of a generic view model that the app imports, and of one that the app has written for the same state.
struct StateRead {
  private static let section = "State"
  private static let imported = "view model of the storefront"
  private static let local = "view model of the app"

  // A shared function for the loops would be generic, too, so each loop is written out.
  static let all = [
    StateRead(
      "search, closure stage",
      imported: Benchmark(imported, subject: { await Notes.closureSearch() }) { model, count in
        for _ in 0..<count { use(model.state) }
        return count
      },
      local: Benchmark(local, subject: { await LocalClosureViewModel(Notes.closureSearch().state) }) {
        model, count in
        for _ in 0..<count { use(model.state) }
        return count
      }),
    StateRead(
      "search, stream stage",
      imported: Benchmark(imported, subject: { await Notes.streamSearch() }) { model, count in
        for _ in 0..<count { use(model.state) }
        return count
      },
      local: Benchmark(local, subject: { await LocalStreamViewModel(Notes.streamSearch().state) }) {
        model, count in
        for _ in 0..<count { use(model.state) }
        return count
      }),
    StateRead(
      "search, async stage",
      imported: Benchmark(imported, subject: { await Notes.search() }) { model, count in
        for _ in 0..<count { use(model.state) }
        return count
      },
      local: Benchmark(local, subject: { await LocalViewModel(Notes.search().state) }) { model, count in
        for _ in 0..<count { use(model.state) }
        return count
      }),
  ]

  let group: BenchmarkGroup
  let target: Target

  private init(_ title: String, imported: Benchmark, local: Benchmark) {
    group = BenchmarkGroup(
      section: Self.section, title: title, unit: "read", reference: Self.local, benchmarks: [imported, local])
    let name = "\(Self.section) / \(title)"
    target = Target(
      "read the state: \(title)", "≤ 1.2 × a view model of the app", .atMost(1.2),
      // The time of the imported view model, divided by that of the local one.
      .speed(of: "\(name) / \(Self.local)", against: "\(name) / \(Self.imported)"))
  }
}

/// Keeps the optimizer from removing a read. Unlike `blackHole`, does not copy the value, which would cost more than the read.
@inline(never)
private func use<Value>(_ value: borrowing Value) {}

/// View models of the app, as far as a read of the state needs them.
private final class LocalClosureViewModel<State: Sendable>: Sendable {
  private let store: CallbackState<State>
  var state: State { store.value }

  init(_ state: State) { store = CallbackState(state) }
}

private final class LocalStreamViewModel<State: Sendable>: StateSource {
  let store: StateStore<State>

  init(_ state: State) { store = StateStore(state) }
}

private actor LocalViewModel<State: Sendable>: ViewModelActor {
  nonisolated let modelState: ModelState<State>

  init(_ state: State) { modelState = ModelState(state) }
}
