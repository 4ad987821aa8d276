import AsyncViewModels
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels
import Testing

/// The rules of the dashboard, tested without a view model.
@Suite("Dashboard state", .timeLimit(.minutes(5)))
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
    state.receive(.success(.orders([])), for: .orders)
    state.receive(.success(.recommendations([])), for: .recommendations)
    #expect(state.shown == [.idle, .empty, .empty])
    #expect(state.parts(of: .load) == [.profile])
    state.begin([.orders])
    #expect(state.shown(.orders) == .empty)
    state.receive(.failure(ServiceError.timedOut), for: .orders)
    #expect(state.shown(.orders) == .empty)
    #expect(state.failure(.orders) == .timedOut)
  }

  @Test("content is shown during a refresh and after a failed one")
  func content() {
    var state = DashboardState()
    state.receive(.success(.profile(Profile(1))), for: .profile)
    state.begin([.profile])
    #expect(state.shown(.profile) == .number(1))
    #expect(state.isLoading)
    state.receive(.failure(ServiceError.timedOut), for: .profile)
    #expect(state.shown(.profile) == .number(1))
    #expect(state.failure(.profile) == .timedOut)
    #expect(!state.isLoading)
    state.receive(.success(.profile(Profile(2))), for: .profile)
    #expect(state.shown(.profile) == .number(2))
    #expect(state.failures.isEmpty)
  }

  @Test("the state and the intent determine which parts are loaded")
  func intents() {
    var state = DashboardState()
    #expect(state.parts(of: .load) == DashboardPart.allCases)
    #expect(state.parts(of: .retryFailed) == [])
    state.receive(.success(.profile(Profile(1))), for: .profile)
    state.receive(.failure(ServiceError.timedOut), for: .profile)
    state.receive(.failure(ServiceError.timedOut), for: .orders)
    #expect(state.parts(of: .load) == [.orders, .recommendations])
    #expect(state.parts(of: .refresh) == DashboardPart.allCases)
    #expect(state.parts(of: .retry(.profile)) == [.profile])
    #expect(state.parts(of: .retry(.recommendations)) == [])
    #expect(state.parts(of: .retryFailed) == [.profile, .orders])
  }

  @Test("a failure is hidden during a retry and restored if the retry is cancelled")
  func cancelledRetry() {
    var state = DashboardState()
    state.receive(.failure(ServiceError.timedOut), for: .orders)
    state.begin([.orders])
    #expect(state.shown(.orders) == .loading)
    #expect(state.failures.isEmpty)
    #expect(state.parts(of: .retryFailed) == [.orders], "a second retry can join the first")

    var cancelled = state
    cancelled.cancel()
    #expect(cancelled.shown(.orders) == .failed(.timedOut))
    #expect(cancelled.failure(.orders) == .timedOut)

    state.receive(.cancelled, for: .orders)
    #expect(state.shown(.orders) == .failed(.timedOut))
    #expect(!state.isLoading)
  }
}
