import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What only the async stage can do, and how its screens are made.
@Suite("Detail: the async stage alone", .timeLimit(.minutes(1)))
struct DetailViewModelTests {
  @Test("a load that joins another one awaits it")
  func joining() async throws {
    try await LeakTracker.check { tracker in
      let service = ScriptedDetailService<Row>()
      let model = tracker.track(DetailViewModel(itemID: 7, source: .list, service: service))
      let first = await model.loadIfNeeded()
      let call = try await service.calls.next()
      let joined = await model.loadIfNeeded()
      #expect(joined == first)
      call.succeed(Row(id: 7))
      await joined.value
      #expect(model.state.content.value == Row(id: 7))
    }
  }

  @Test("a factory makes screens from primitives; two screens of one product load it once")
  func factory() async throws {
    let script = StorefrontScript()
    let product = Product(id: 7, name: "Oak", price: .zero(in: .eur), stock: 1)
    let service = InMemoryStorefront(StorefrontContents(products: [product]), script: script)
    try await LeakTracker.check { tracker in
      let store = ViewModelStore(retention: .zero) { id in
        tracker.track(ProductDetailViewModel(itemID: id, source: .list, service: service))
      }
      let (first, second) = (await store.lease(7), await store.lease(7))
      await first.model.loadIfNeeded().value
      await second.model.loadIfNeeded().value
      #expect(second.model.state.content.value == product)
      #expect(script.calls == [.product(7)])

      let unknown = await store.lease(8)
      await unknown.model.loadIfNeeded().value
      #expect(unknown.model.state.content.error as? ServiceError == .notFound("product 8"))
    }
  }
}
