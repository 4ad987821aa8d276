import AsyncViewModels
import AsyncViewModelsTesting
import ListSnapshots
import StorefrontDomain
import StorefrontViewModels
import Testing

/// The rules of the catalog, tested without a view model.
@Suite("Catalog state", .timeLimit(.minutes(5)), .endsWaits)
struct CatalogStateTests {
  @Test("an answer without a pending request changes nothing and requests nothing")
  func stray() {
    var state = CatalogState<String, CatalogProduct>(pageSize: 2) { _ in "all" }
    let next = state.receive(.failure(ServiceError.timedOut))
    #expect(next == nil)
    #expect(state.failure == nil)
    #expect(state.snapshot == CatalogState.Snapshot())
  }

  @Test("a refresh that replaces a refresh shows nothing of the first one")
  func replacedRefresh() throws {
    var state = CatalogState<String, CatalogProduct>(pageSize: 2) { _ in "all" }
    state.begin(try #require(state.request(for: .refresh)), for: .refresh)
    let second = state.receive(.success(.rows(1...2)))
    #expect(second?.index == 1)
    state.begin(try #require(state.request(for: .refresh)), for: .refresh)
    let third = state.receive(.success(.rows([3], isLast: true)))
    #expect(third == nil)
    #expect(state.failure == nil)
    #expect(state.snapshot.items.map(\.id) == [3])
  }

  @Test("a cancelled load shows the earlier failure again", arguments: [LoadIntent.load, .refresh])
  func cancelledAfterFailure(intent: LoadIntent) throws {
    var state = CatalogState<String, CatalogProduct>(pageSize: 2) { _ in "all" }
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
