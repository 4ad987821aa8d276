import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels
import Testing

/// The rules of the catalog, tested without a view model.
@Suite("Catalog state", .timeLimit(.minutes(5)))
struct CatalogStateTests {
  @Test("an answer without a pending request changes nothing and requests nothing")
  func stray() {
    var state = CatalogState<String, Row>(pageSize: 2) { _ in "all" }
    let next = state.receive(.failure(ServiceError.timedOut))
    #expect(next == nil)
    #expect(state.failure == nil)
    #expect(state.snapshot == CatalogState.Snapshot())
  }

  @Test("a cancelled load shows the earlier failure again", arguments: [LoadIntent.load, .refresh])
  func cancelledAfterFailure(intent: LoadIntent) throws {
    var state = CatalogState<String, Row>(pageSize: 2) { _ in "all" }
    state.begin(try #require(state.request(for: .load)), for: .load)
    _ = state.receive(.failure(ServiceError.timedOut))
    for isCancelledByUser in [true, false] {
      state.begin(try #require(state.request(for: intent)), for: intent)
      #expect(state.failure == nil)
      if isCancelledByUser { state.cancel() } else { _ = state.receive(.cancelled) }
      #expect(state.failure as? ServiceError == .timedOut)
      #expect(state.content.error as? ServiceError == .timedOut)
    }
  }
}
