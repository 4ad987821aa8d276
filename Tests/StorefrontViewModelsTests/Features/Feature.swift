import AsyncViewModels
import AsyncViewModelsTesting
import ListSnapshots
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// A feature that loads from a service, with the intents that replace or cancel its requests.
enum Feature: CaseIterable, Sendable {
  case list, catalog, search, posts, detail, page, profile, dashboard, cart

  /// The features with one rule for their loads: a second load joins the first. A second load of the cart replaces the first.
  static let allCases: [Feature] = [.list, .catalog, .search, .posts, .detail, .page, .profile, .dashboard]

  /// The number of requests that a load starts.
  var requestCount: Int { self == .dashboard ? 3 : 1 }

  /// What the screen shows if all its parts show the same.
  func all(_ shown: Shown) -> [Shown] { Array(repeating: shown, count: requestCount) }

  /// A view model, and the intents that a test calls.
  struct Operations: Sendable {
    let subject: any AnyObject & Sendable
    /// What the screen shows of each part. Only the dashboard has several parts. A part with content shows the number of the
    /// answer.
    let shown: @Sendable () -> [Shown]
    /// Begins to consume the states.
    let observe: @Sendable @MainActor (Consumer) -> Consumption
    /// Starts a load. If a load is in progress, joins it. A search replaces it instead.
    let begin: @Sendable () async -> Task<Void, Never>
    /// Replaces the requests in progress.
    let replace: @Sendable () async -> Task<Void, Never>
    let cancel: @Sendable () async -> Void

    init<State: Sendable>(
      _ subject: any AnyObject & Sendable, state: @escaping @Sendable () -> State,
      shown: @escaping @Sendable (State) -> [Shown],
      begin: @escaping @Sendable () async -> Task<Void, Never>,
      replace: @escaping @Sendable () async -> Task<Void, Never>, cancel: @escaping @Sendable () async -> Void
    ) {
      self.subject = subject
      self.shown = { shown(state()) }
      observe = { [weak subject] in Consumption(of: subject, by: $0, shown) }
      self.begin = begin
      self.replace = replace
      self.cancel = cancel
    }
  }

  func makeOperations(_ stage: ContractStage, _ service: some NumberedService) -> Operations {
    switch self {
    case .list:
      let model = stage.makeList(service: service, pageSize: 2)
      return Operations(
        model.subject, state: { model.state },
        shown: { state in [Shown(state.content) { $0.first?.id.rawValue }] },
        begin: { await model.load() }, replace: { await model.refresh() }, cancel: model.cancel)
    case .catalog:
      let model = stage.makeCatalog(service: service, pageSize: 2) { $0.name }
      return Operations(
        model.subject, state: { model.state },
        shown: { state in [Shown(state.content) { $0.items.first?.id.rawValue }] },
        begin: { await model.load() }, replace: { await model.refresh() }, cancel: model.cancel)
    case .search:
      let model = stage.makeSearch(service: service, clock: VirtualClock())
      return Operations(
        model.subject, state: { model.state },
        shown: { state in [Shown(state.results) { $0.first?.id.rawValue }] },
        begin: {
          model.setQuery("tea")
          return model.submit()
        },
        replace: {
          model.setQuery("teapot")
          return model.submit()
        }, cancel: model.cancel)
    case .posts:
      let model = stage.makePosts(service: service)
      return Operations(
        model.subject, state: { model.state }, shown: { state in [Shown(state.content) { $0.count }] },
        begin: { await model.load() }, replace: { await model.refresh() }, cancel: model.cancel)
    case .detail:
      let model = stage.makeDetail(itemID: 1, source: .list, service: service)
      return Operations(
        model.subject, state: { model.state }, shown: { state in [Shown(state.content) { Int($0.name) }] },
        begin: { await model.load() }, replace: { await model.refresh() }, cancel: model.cancel)
    case .page:
      let model = stage.makeProductPage(service: service, cart: stage.stage.makeSharedCart())
      return Operations(
        model.subject, state: { model.state },
        shown: { state in [Shown(state.product) { Int($0.name) }] },
        begin: { await model.load() }, replace: { await model.refresh() }, cancel: model.cancel)
    case .profile:
      let model = stage.makeProfile(service: service)
      return Operations(
        model.subject, state: { model.state }, shown: { state in [Shown(state.content) { $0.version }] },
        begin: { await model.load() }, replace: { await model.refresh() }, cancel: model.cancel)
    case .dashboard:
      // Other tests change the account of the process.
      let account = AccountVersion.current
      let model = stage.makeDashboard(profile: service, orders: service, recommendations: service)
      return Operations(
        model.subject, state: { model.state }, shown: { $0.shown },
        begin: { await account.run { await model.load() } },
        replace: { await account.run { await model.refresh() } }, cancel: model.cancel)
    case .cart:
      let model = stage.makeCart(service: service)
      return Operations(
        model.subject, state: { model.state }, shown: { [$0.shown] },
        begin: { await model.load() }, replace: { await model.load() }, cancel: model.cancel)
    }
  }
}

extension CartState {
  /// The number of an answer is the number of units in its cart.
  fileprivate var shown: Shown {
    if cart.itemCount > 0 { return .number(cart.itemCount) }
    return isLoading ? .loading : .idle
  }
}
