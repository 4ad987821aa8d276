import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontViewModels
import Testing

/// The rules for loads of the cart, tested without a view model.
@Suite("Cart state: loads", .timeLimit(.minutes(5)), .endsWaits)
struct CartLoadStateTests {
  private let nail = AnsweredCart.nail
  private let screw = AnsweredCart.screw

  @Test("a load shows the service's cart, and ends")
  func load() throws {
    var state = CartState(SavedCart(try Cart((nail, 1))), hasService: true)
    #expect(!state.isLoading)
    #expect(!state.isCartDue)
    #expect(state.beginLoad().requests.isEmpty)
    #expect(state.isLoading)
    let asks = [state.beginCartRequest(), state.beginCartRequest()]
    #expect(asks == [true, false], "the service is asked once")
    state.receiveCart(.success(try Cart((screw, 2))))
    #expect(state.cart == (try Cart((screw, 2))))
    #expect(!state.isLoading)
    state.receiveCart(.success(Cart()))
    #expect(state.cart.itemCount == 2, "a second answer")
  }

  @Test("without a service, there is nothing to load")
  func loadWithoutService() {
    var state = CartState(hasService: false)
    #expect(state.beginLoad().requests.isEmpty)
    #expect(!state.isLoading)
  }

  @Test("a failed load keeps the cart and shows the error, until a load succeeds")
  func failedLoad() throws {
    var state = CartState(SavedCart(try Cart((nail, 1))), hasService: true)
    _ = state.beginLoad()
    _ = state.beginCartRequest()
    state.receiveCart(.failure(ServiceError.offline))
    #expect(state.loadFailure as? ServiceError == .offline)
    #expect(state.cart.itemCount == 1)
    _ = state.beginLoad()
    #expect(state.loadFailure == nil, "during a load")
    state.cancelLoad()
    #expect(state.loadFailure as? ServiceError == .offline)
    _ = state.beginLoad()
    _ = state.beginCartRequest()
    state.receiveCart(.cancelled)
    #expect(!state.isLoading)
    #expect(state.loadFailure as? ServiceError == .offline)
    _ = state.beginLoad()
    _ = state.beginCartRequest()
    state.receiveCart(.success(Cart()))
    #expect(state.loadFailure == nil)
  }

  @Test(
    "a load that waits for a cancelled request of a change ends without an error, and a deadline is a time-out"
  )
  func shownErrors() throws {
    for (error, shown) in [
      (CancellationError() as any Error, nil),
      (DeadlineExceeded(duration: .seconds(60)), ServiceError.timedOut),
    ] {
      var state = AnsweredCart()
      let key = try state.begin(.add(nail, quantity: 1))
      state.answer(key, .failure(ServiceError.offline))
      state.load()
      #expect(state.state.isLoading)
      state.answer(key, .failure(error))
      #expect(!state.state.isLoading)
      #expect(state.state.loadFailure as? ServiceError == shown)
    }
  }

  @Test("a load that can only wait for an unanswered change fails with its error")
  func loadBehindUnanswered() throws {
    var state = AnsweredCart()
    let first = try state.begin(.add(nail, quantity: 1))
    let other = try state.begin(.add(screw, quantity: 1))
    state.load()
    state.answer(first, .failure(ServiceError.timedOut))
    #expect(state.state.isLoading, "the other change is being sent")
    state.confirm(other)
    #expect(!state.state.isLoading)
    #expect(state.state.loadFailure as? ServiceError == .timedOut)
  }

  @Test("the error of a change is not the error of a load")
  func failedChange() throws {
    var state = AnsweredCart()
    let key = try state.begin(.add(nail, quantity: 1))
    state.answer(key, .failure(ServiceError.timedOut))
    #expect(state.state.loadFailure == nil)
  }

  @Test("the service's cart is dropped if a change began after the request, and is loaded again")
  func outdated() throws {
    var state = AnsweredCart()
    state.load()
    try #require(state.state.isCartDue)
    _ = state.beginCartRequest()
    let key = try state.begin(.add(nail, quantity: 1))
    state.receiveCart(.success(Cart()))
    #expect(state.cart.itemCount == 1)
    #expect(state.state.isLoading && !state.state.isCartDue)
    state.confirm(key)
    try #require(state.state.isCartDue)
    _ = state.beginCartRequest()
    state.receiveCart(.success(try Cart((nail, 1))))
    #expect(!state.state.isLoading)
    #expect(state.cart.itemCount == 1)
  }

  @Test("the service's cart is dropped if a change began after the request and is not answered")
  func outdatedByUnanswered() throws {
    var state = AnsweredCart()
    state.load()
    try #require(state.state.isCartDue)
    _ = state.beginCartRequest()
    let key = try state.begin(.add(nail, quantity: 1))
    state.answer(key, .failure(ServiceError.timedOut))
    #expect(state.state.isLoading)
    state.receiveCart(.success(Cart()))
    #expect(state.cart.itemCount == 1)
    #expect(state.state.loadFailure as? ServiceError == .timedOut)
  }
}
