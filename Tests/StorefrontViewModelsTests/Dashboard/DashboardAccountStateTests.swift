import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The rules of the dashboard for a change of the account, tested without a view model.
@Suite("Dashboard state: change of the account", .timeLimit(.minutes(5)), .endsWaits)
struct DashboardAccountStateTests {
  @Test("the profile of another user removes content of earlier loads, and earlier loads are replaced")
  func otherUser() {
    var state = DashboardState()
    state.begin(DashboardPart.allCases)
    _ = state.receive(.success(.profile(Profile(1))), for: .profile)
    _ = state.receive(.success(.orders([Order(1)])), for: .orders)
    state.begin([.profile])
    let requests = state.receive(.success(.profile(Profile(2, user: 2))), for: .profile)
    #expect(requests == [.orders, .recommendations])
    #expect(state.shown == [.number(2), .loading, .loading])
    #expect(state.loadingParts == [.orders, .recommendations])
    let none = state.receive(.success(.orders([Order(2)])), for: .orders)
    #expect(none == [])
    #expect(state.shown == [.number(2), .number(2), .loading])
  }

  @Test("the profile of another user keeps the content and the failures of loads that began with it or later")
  func loadsOfTheOtherUser() {
    var state = loaded()
    state.begin(DashboardPart.allCases)
    _ = state.receive(.success(.orders([Order(2)])), for: .orders)
    _ = state.receive(.failure(ServiceError.busy), for: .recommendations)
    let requests = state.receive(.success(.profile(Profile(2, user: 2))), for: .profile)
    #expect(requests == [])
    #expect(state.shown == [.number(2), .number(2), .failed(.busy)])
  }

  @Test("the profile of another user removes content that a cancelled refresh has restored")
  func restoredContent() {
    var state = loaded()
    state.begin(DashboardPart.allCases)
    _ = state.receive(.cancelled, for: .orders)
    let requests = state.receive(.success(.profile(Profile(2, user: 2))), for: .profile)
    #expect(requests == [])
    #expect(state.shown == [.number(2), .idle, .loading])
    #expect(state.parts(of: .load) == [.orders, .recommendations])
  }

  @Test("an earlier failure of a part is not shown to another user: the part is loaded again")
  func earlierFailure() {
    var state = DashboardState()
    state.begin([.profile, .orders])
    _ = state.receive(.success(.profile(Profile(1))), for: .profile)
    _ = state.receive(.failure(ServiceError.busy), for: .orders)
    state.begin([.profile])
    let requests = state.receive(.success(.profile(Profile(2, user: 2))), for: .profile)
    #expect(requests == [.orders], "the recommendations were never requested")
    #expect(state.shown == [.number(2), .loading, .idle])
  }

  @Test("a later version of the same profile changes no other part")
  func sameUser() {
    var state = loaded()
    state.begin([.profile])
    let requests = state.receive(.success(.profile(Profile(2))), for: .profile)
    #expect(requests == [])
    #expect(state.shown == [.number(2), .number(1), .number(1)])
  }

  @Test("the first intent for a newer account removes all content, and requests each part again")
  func newerAccount() {
    let intents: [DashboardIntent] = [.load, .refresh, .retry(.orders), .retryFailed]
    for intent in intents {
      var state = loaded()
      state.begin([.orders])
      _ = state.receive(.failure(ServiceError.busy), for: .orders)
      state.begin([.recommendations])
      let account = AccountVersion.advance()
      let requests = state.requests(of: intent, for: account)
      #expect(requests == DashboardPart.allCases, "\(intent)")
      state.begin(requests, for: account)
      #expect(state.shown == [.loading, .loading, .loading], "\(intent)")
      #expect(state.account == account)
      #expect(state.requests(of: .load) == [], "a second load joins the loads in progress")
    }
    #expect(loaded().parts(of: .load, for: .advance()) == DashboardPart.allCases)
  }

  @Test("the first intent for a newer account leaves parts alone that were never requested")
  func newerAccountOfOnePart() {
    var state = DashboardState()
    state.begin([.profile])
    _ = state.receive(.failure(ServiceError.busy), for: .profile)
    #expect(state.requests(of: .retry(.profile), for: .advance()) == [.profile])
  }

  @Test("a notification for a newer account replaces the loads in progress, and removes all content")
  func notification() {
    var state = loaded()
    state.begin([.orders])
    let account = AccountVersion.advance()
    let requests = state.receiveNotification(for: account)
    #expect(requests == DashboardPart.allCases)
    #expect(state.shown == [.loading, .loading, .loading])
    let due = state.receive(.success(.orders([Order(2)])), for: .orders)
    #expect(due == [], "the answer is newer than the notification")
    #expect(state.account == account)
  }

  /// A dashboard whose parts were loaded for the same user.
  private func loaded() -> DashboardState {
    var state = DashboardState()
    state.begin(DashboardPart.allCases)
    _ = state.receive(.success(.profile(Profile(1))), for: .profile)
    _ = state.receive(.success(.orders([Order(1)])), for: .orders)
    _ = state.receive(.success(.recommendations([CatalogProduct(1)])), for: .recommendations)
    return state
  }
}
