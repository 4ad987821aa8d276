import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels
import Testing

/// The rules of the catalog, tested without a view model.
@Suite("Catalog state", .timeLimit(.minutes(1)))
struct CatalogStateTests {
  @Test("an answer without a pending request changes nothing and requests nothing")
  func stray() {
    var state = CatalogState<String, Row>(pageSize: 2) { _ in "all" }
    let next = state.receive(.failure(ServiceError.timedOut))
    #expect(next == nil)
    #expect(state.failure == nil)
    #expect(state.snapshot == CatalogState.Snapshot())
  }
}
