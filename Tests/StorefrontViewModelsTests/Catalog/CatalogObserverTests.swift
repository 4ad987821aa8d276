import AsyncViewModels
import AsyncViewModelsTesting
import ListSnapshots
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// A list view that observes a catalog and does not see every state.
@Suite("Catalog: a list view as observer", .timeLimit(.minutes(5)), .endsWaits)
struct CatalogObserverTests {
  @Test(
    "a slow list view can apply the difference between the state that it shows and the newest state",
    arguments: ContractStage.native)
  func following(stage: ContractStage) async throws {
    try await withCatalog(stage) { model, service in
      let screen = ListScreen()
      let states = model.states()
      let observation = states.observe(on: screen) { screen, state in screen.show(state) }
      let shown = StateRecorder(screen.shown.states())
      for round in 0..<50 {
        let ids = (0..<8).map { ($0 * 7 + round * 3) % 11 + 1 }
        try await model.show([.rows(ids, "round \(round / 3)", isLast: true)], service)
      }
      let newest = model.state.snapshot
      try await shown.first { $0 == newest }
      #expect(await screen.refused == 0)
      observation.cancel()
    }
  }

  @Test("the storefront's catalog groups products by availability")
  func availability() async throws {
    let money = try Money(minorUnits: 100, currency: Currency("EUR"))
    let products = [0, 5, 6, 1].enumerated().map { index, stock in
      CatalogProduct(id: CatalogProduct.ID(rawValue: index), name: "", price: money, stock: stock)
    }
    let service = ScriptedPageService<CatalogProduct>()
    let model = ProductCatalogViewModel(service: service)
    let load = Task { await model.load() }
    try await service.calls.next().succeed(Page(items: products, index: 0, isLast: true))
    await load.value
    #expect(model.state.snapshot.sectionIDs == [.inStock, .fewLeft, .soldOut])
    #expect(model.state.snapshot.items(inSection: 1).map(\.id) == [1, 3])
  }
}

/// A screen that updates its list in batches: it applies the difference between the state that it showed last and the newest state.
private actor ListScreen {
  nonisolated let shown = StateStore(CatalogState<String, CatalogProduct>.Snapshot())
  private(set) var refused = 0
  private var last: CatalogState<String, CatalogProduct>?

  func show(_ state: CatalogState<String, CatalogProduct>) {
    defer { last = state }
    let difference = last.map { state.difference(from: $0) } ?? state.snapshot.difference(from: shown.value)
    do { shown.send(try shown.value.applying(difference)) } catch { refused += 1 }
  }
}
