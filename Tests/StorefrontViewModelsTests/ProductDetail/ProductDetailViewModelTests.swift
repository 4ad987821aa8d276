import AsyncViewModelsTesting
import AsyncViewModelsUI
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// A store creates and shares the view models of the async stage.
@Suite("Product detail, async stage", .timeLimit(.minutes(5)), .endsWaits)
struct ProductDetailViewModelTests {
  @Test("a store creates view models from identifiers, and two screens of a product load the product once")
  func factory() async throws {
    let script = StorefrontScript()
    let product = CatalogProduct(id: 7, name: "Oak", price: .zero(in: .eur), stock: 1)
    let service = InMemoryStorefront(StorefrontContents(products: [product]), script: script)
    try await LeakTracker.check { tracker in
      let store = ViewModelStore(retention: .zero) { id in
        tracker.track(ProductDetailViewModel(itemID: id, source: .list, service: service))
      }
      let (first, second) = (await store.lease(7), await store.lease(7))
      await first.model.load()
      await second.model.load()
      #expect(second.model.state.content.value == product)
      #expect(script.calls == [.product(7)])

      let unknown = await store.lease(8)
      await unknown.model.load()
      #expect(unknown.model.state.content.error as? ServiceError == .notFound("product 8"))
    }
  }
}
