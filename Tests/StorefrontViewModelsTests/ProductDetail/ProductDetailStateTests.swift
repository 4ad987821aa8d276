import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The rules of the detail screen, tested without a view model.
@Suite("Product detail state", .timeLimit(.minutes(5)), .endsWaits)
struct ProductDetailStateTests {
  @Test("an answer without a pending load changes nothing")
  func stray() {
    var state = ProductDetailState(itemID: 1, source: .list)
    state.receive(.failure(ServiceError.timedOut))
    #expect(state.content.error == nil)
    #expect(state.needsRequest(for: .load))
    state.begin()
    state.cancel()
    state.receive(.failure(ServiceError.timedOut))
    #expect(state.content.error == nil)
  }

  @Test("a cancelled load restores the earlier failure", arguments: [true, false])
  func cancelledLoad(isCancelledByUser: Bool) {
    var state = ProductDetailState(itemID: 1, source: .list)
    state.begin()
    state.receive(.failure(ServiceError.timedOut))
    state.begin()
    #expect(state.content.isLoading)
    if isCancelledByUser { state.cancel() } else { state.receive(.cancelled) }
    #expect(state.content.error as? ServiceError == .timedOut)
  }

  @Test("a refresh keeps the old item, and a failed refresh keeps the old item and adds the error")
  func refresh() {
    var state = ProductDetailState(itemID: 1, source: .list)
    state.begin()
    state.receive(.success(CatalogProduct(1)))
    #expect(!state.needsRequest(for: .load))
    #expect(state.needsRequest(for: .refresh))
    state.begin()
    #expect(state.isRefreshing)
    #expect(state.content.value == CatalogProduct(1))
    state.receive(.failure(ServiceError.timedOut))
    #expect(state.content.value == CatalogProduct(1))
    #expect(state.refreshFailure as? ServiceError == .timedOut)
    state.begin()
    #expect(state.refreshFailure == nil)
    state.cancel()
    #expect(state.refreshFailure as? ServiceError == .timedOut)
    state.begin()
    state.receive(.success(CatalogProduct(2)))
    #expect(state.refreshFailure == nil)
    #expect(state.content.value == CatalogProduct(2))
  }
}
