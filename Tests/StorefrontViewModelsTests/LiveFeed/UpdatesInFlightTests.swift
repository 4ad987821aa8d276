import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The rules of live updates, tested without a view model.
@Suite("Updates in flight", .timeLimit(.minutes(5)), .endsWaits)
struct UpdatesInFlightTests {
  @Test("updates are kept only while a request is in flight, one for each product")
  func kept() {
    var updates = UpdatesInFlight()
    updates.receive(.price(1, 1))
    #expect(updates.count == 0)
    updates.begin()
    for cents in 1...1_000 { updates.receive(.price(CatalogProduct.ID(rawValue: cents % 3), cents)) }
    #expect(updates.count == 3)
    updates.begin()
    #expect(updates.count == 0, "a new request")
    updates.receive(.price(1, 1))
    updates.end()
    #expect(updates.count == 0, "a cancelled request")
    updates.receive(.price(1, 1))
    #expect(updates.count == 0)
  }

  @Test("the answer of a request contains the newest price and stock, and ends it")
  func answers() {
    var updates = UpdatesInFlight()
    updates.begin()
    updates.receive(ProductUpdate(product: 1, stock: 3))
    updates.receive(.price(1, 80))
    updates.receive(.price(1, 70))
    let apple = CatalogProduct.apple.costing(70).applying(ProductUpdate(product: 1, stock: 3))
    let page = updates.end(with: .success(.products(.pear, .apple, index: 4, isLast: true)))
    #expect(page.value == .products(.pear, apple, index: 4, isLast: true))
    #expect(updates.count == 0)
    let second = updates.end(with: .success(.products(.apple)))
    #expect(second.value == .products(.apple))

    updates.begin()
    updates.receive(.price(1, 80))
    let item: TaskOutcome<CatalogProduct> = updates.end(with: .success(.apple))
    #expect(item.value == .apple.costing(80))
    #expect(updates.count == 0)
  }

  @Test("a request that fails or is cancelled keeps its outcome and no updates")
  func failures() {
    var updates = UpdatesInFlight()
    for outcome in [TaskOutcome<Page<CatalogProduct>>.failure(ServiceError.offline), .cancelled] {
      updates.begin()
      updates.receive(.price(1, 80))
      let ended = updates.end(with: outcome)
      #expect(ended.value == nil)
      #expect(updates.count == 0)
    }
    updates.begin()
    updates.receive(.price(1, 80))
    let ended = updates.end(with: TaskOutcome<CatalogProduct>.failure(ServiceError.offline))
    #expect(ended.value == nil)
    #expect(updates.count == 0)
  }

  @Test("a list and a screen change only the item that they show")
  func states() {
    var list = ProductListState(pageSize: 2)
    #expect(!list.shows(.price(1, 80)))
    list.receive(.price(1, 80))
    #expect(list.content.isIdle)
    list.begin(PageRequest(index: 0, size: 2))
    list.receive(.success(.products(.apple, .pear)))
    #expect(list.shows(.price(2, 80)) && !list.shows(.price(3, 80)))
    list.receive(.price(3, 80))
    list.receive(.price(2, 80))
    #expect(list.items == [.apple, .pear.costing(80)])

    var screen = ProductDetailState(itemID: 1, source: .list)
    #expect(!screen.shows(.price(1, 80)))
    screen.receive(.price(1, 80))
    #expect(screen.content.isIdle)
    screen.begin()
    screen.receive(.success(.apple))
    #expect(screen.shows(.price(1, 80)) && !screen.shows(.price(2, 80)))
    screen.receive(.price(2, 80))
    screen.receive(.price(1, 80))
    #expect(screen.content.value == .apple.costing(80))
  }

  @Test("a feed that was cancelled has not failed")
  func endings() {
    var list = ProductListState(pageSize: 2)
    var screen = ProductDetailState(itemID: 1, source: .list)
    for ending in [TaskOutcome<Void>.success(()), .cancelled, .failure(ServiceError.offline)] {
      list.following.begin()
      screen.following.begin()
      #expect(list.following.isActive && screen.following.isActive)
      #expect(list.following.failure == nil && screen.following.failure == nil)
      list.following.end(ending)
      screen.following.end(ending)
      #expect(!list.following.isActive && !screen.following.isActive)
    }
    #expect(list.following.failure as? ServiceError == .offline)
    #expect(screen.following.failure as? ServiceError == .offline)
  }

  @Test("a refresh that brings no items does not hide the error of the feed")
  func uselessRefresh() {
    var list = ProductListState(pageSize: 2)
    let first = PageRequest(index: 0, size: 2)
    list.begin(first)
    list.receive(.success(.products(.apple)))
    list.following.begin()
    list.following.end(.failure(ServiceError.offline))
    list.following.begin()
    list.begin(first)
    list.receive(.success(.products()))
    #expect(list.items == [.apple])
    #expect(list.following.failure as? ServiceError == .offline)
  }
}
