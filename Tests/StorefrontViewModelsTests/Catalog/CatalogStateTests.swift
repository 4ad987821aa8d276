import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels
import Testing

/// The catalogue's rules, without anybody who waits.
@Suite("Catalogue state", .timeLimit(.minutes(1)))
struct CatalogStateTests {
  @Test("an answer that nobody waits for changes nothing, and asks for nothing")
  func stray() {
    var state = CatalogState<String, Row>(pageSize: 2) { _ in "all" }
    let next = state.receive(.failure(ServiceError.timedOut))
    #expect(next == nil)
    #expect(state.failure == nil)
    #expect(state.snapshot == CatalogState.Snapshot())
  }
}
