import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The rules of the dashboard, tested without a view model.
@Suite("Dashboard state", .timeLimit(.minutes(5)), .endsWaits)
struct DashboardStateTests {
  @Test("every part is idle before the first load")
  func idle() {
    let state = DashboardState()
    #expect(state.shown == [.idle, .idle, .idle])
    #expect(!state.isLoading)
    #expect(state.failures.isEmpty)
  }

  @Test("a part without content is loading once its load begins", arguments: DashboardPart.allCases)
  func begin(part: DashboardPart) {
    var state = DashboardState()
    state.begin([part])
    #expect(state.loadingParts == [part])
    for each in DashboardPart.allCases { #expect(state.shown(each) == (each == part ? .loading : .idle)) }
  }

  @Test("an empty list is shown as empty and counts as content")
  func empty() {
    var state = DashboardState()
    state.begin([.orders, .recommendations])
    _ = state.receive(.success(.orders([])), for: .orders)
    _ = state.receive(.success(.recommendations([])), for: .recommendations)
    #expect(state.shown == [.idle, .empty, .empty])
    #expect(state.parts(of: .load) == [.profile])
    state.begin([.orders])
    #expect(state.shown(.orders) == .empty)
    _ = state.receive(.failure(ServiceError.timedOut), for: .orders)
    #expect(state.shown(.orders) == .empty)
    #expect(state.failure(.orders) == .timedOut)
  }

  @Test("content is shown during a refresh and after a failed one")
  func content() {
    var state = DashboardState()
    state.begin([.profile])
    _ = state.receive(.success(.profile(Profile(1))), for: .profile)
    state.begin([.profile])
    #expect(state.shown(.profile) == .number(1))
    #expect(state.isLoading)
    _ = state.receive(.failure(ServiceError.timedOut), for: .profile)
    #expect(state.shown(.profile) == .number(1))
    #expect(state.failure(.profile) == .timedOut)
    #expect(!state.isLoading)
    state.begin([.profile])
    _ = state.receive(.success(.profile(Profile(2))), for: .profile)
    #expect(state.shown(.profile) == .number(2))
    #expect(state.failures.isEmpty)
  }

  @Test("a recommendation or an order that a service repeats is shown once, as the later one")
  func duplicates() {
    var state = DashboardState()
    state.begin(DashboardPart.allCases)
    let newer = CatalogProduct(id: 1, name: "Newer", price: CatalogProduct(1).price, stock: 1)
    let products = [CatalogProduct(1), newer, CatalogProduct(2)]
    _ = state.receive(.success(.recommendations(products)), for: .recommendations)
    #expect(state.recommendations.value == [newer, CatalogProduct(2)])
    _ = state.receive(.success(.orders([Order(3), Order(4), Order(3)])), for: .orders)
    #expect(state.orders.value == [Order(3), Order(4)])
  }

  @Test("a part does not show the content of another part")
  func otherContent() {
    var state = DashboardState()
    state.begin([.orders, .recommendations])
    for part in [DashboardPart.orders, .recommendations] {
      _ = state.receive(.success(.profile(Profile(1))), for: part)
    }
    #expect(state.shown == [.idle, .idle, .idle])
  }

  @Test("the state and the intent determine which parts are loaded")
  func intents() {
    var state = DashboardState()
    #expect(state.parts(of: .load) == DashboardPart.allCases)
    #expect(state.parts(of: .retryFailed) == [])
    state.begin([.profile, .orders])
    _ = state.receive(.success(.profile(Profile(1))), for: .profile)
    _ = state.receive(.failure(ServiceError.timedOut), for: .orders)
    state.begin([.profile])
    _ = state.receive(.failure(ServiceError.timedOut), for: .profile)
    #expect(state.parts(of: .load) == [.orders, .recommendations])
    #expect(state.parts(of: .refresh) == DashboardPart.allCases)
    #expect(state.parts(of: .retry(.profile)) == [.profile])
    #expect(state.parts(of: .retry(.recommendations)) == [])
    #expect(state.parts(of: .retryFailed) == [.profile, .orders])
  }

  @Test("a failure is hidden during a retry and restored if the retry is cancelled")
  func cancelledRetry() {
    var state = DashboardState()
    state.begin([.orders])
    _ = state.receive(.failure(ServiceError.timedOut), for: .orders)
    state.begin([.orders])
    #expect(state.shown(.orders) == .loading)
    #expect(state.failures.isEmpty)
    #expect(state.parts(of: .retryFailed) == [.orders], "a second retry can join the first")

    var cancelled = state
    cancelled.cancel()
    #expect(cancelled.shown(.orders) == .failed(.timedOut))
    #expect(cancelled.failure(.orders) == .timedOut)

    _ = state.receive(.cancelled, for: .orders)
    #expect(state.shown(.orders) == .failed(.timedOut))
    #expect(!state.isLoading)
  }

  @Test("a notification reloads the parts that were loaded or have failed, and no others")
  func notification() {
    var state = DashboardState()
    let none = state.receiveNotification()
    #expect(none == [], "nothing was requested")
    state.begin([.profile, .orders])
    _ = state.receive(.success(.profile(Profile(1))), for: .profile)
    _ = state.receive(.failure(ServiceError.timedOut), for: .orders)
    let requests = state.receiveNotification()
    #expect(requests == [.profile, .orders])
    #expect(state.loadingParts == [.profile, .orders])
    #expect(state.outdatedParts == [.profile, .orders])
    let afterProfile = state.receive(.success(.profile(Profile(2))), for: .profile)
    #expect(afterProfile == [])
    let afterOrders = state.receive(.failure(ServiceError.timedOut), for: .orders)
    #expect(afterOrders == [])
    #expect(state.outdatedParts == [.orders], "a failed reload stays due")
    #expect(state.parts(of: .load) == [.orders, .recommendations])
    #expect(!state.isLoading)
  }

  @Test("notifications during a load cause one more load, whose begin no observer can miss")
  func notificationDuringLoad() {
    var state = DashboardState()
    state.begin([.profile])
    for _ in 0..<3 {
      let requests = state.receiveNotification()
      #expect(requests == [])
    }
    let due = state.receive(.success(.profile(Profile(1))), for: .profile)
    #expect(due == [.profile])
    #expect(state.shown(.profile) == .number(1))
    #expect(state.loadingParts == [.profile])
    #expect(state.outdatedParts == [.profile])
    let dueAgain = state.receive(.success(.profile(Profile(2))), for: .profile)
    #expect(dueAgain == [])
    #expect(state.outdatedParts.isEmpty)
    #expect(!state.isLoading)
  }

  @Test("a refresh that begins after a notification is up to date")
  func refreshAfterNotification() {
    var state = DashboardState()
    state.begin([.profile])
    _ = state.receiveNotification()
    state.begin([.profile])
    let due = state.receive(.success(.profile(Profile(1))), for: .profile)
    #expect(due == [])
    #expect(state.outdatedParts.isEmpty)
  }

  @Test("a cancelled reload stays due, and is not begun again by its late answer")
  func cancelledReload() {
    var state = DashboardState()
    state.begin([.profile])
    _ = state.receive(.success(.profile(Profile(1))), for: .profile)
    _ = state.receiveNotification()
    _ = state.receiveNotification()
    state.cancel()
    #expect(!state.isLoading)
    #expect(state.parts(of: .load).contains(.profile))
    #expect(state.requests(of: .load).contains(.profile))
    state.begin([.profile])
    let due = state.receive(.cancelled, for: .profile)
    #expect(due == [])
    #expect(state.outdatedParts == [.profile])
  }
}
