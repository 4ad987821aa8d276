import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

// Each function creates the view model of `stage` with the service in `form`, and returns the driver of the
// view model.
extension ContractStage {
  func makeCart(
    restoring saved: SavedCart = SavedCart(), service: (any CartService & CartClosureService)?,
    storage: (any CartStorage & CartClosureStorage)? = nil,
    feed: (any ProductFeed & ProductClosureFeed)? = nil, clock: VirtualClock = VirtualClock()
  ) -> any CartDriver {
    func make(_ service: (any CartService)?, _ closures: (any CartClosureService)?) -> any CartDriver {
      let isCrossed = form == .crossed
      return stage.makeCart(
        restoring: saved, service: service, closures: closures, storage: storage,
        feed: isCrossed ? feed?.asAsync : feed, closureFeed: isCrossed ? feed?.asClosure : feed, clock: clock)
    }
    guard let service else { return make(nil, nil) }
    switch form {
    case .native: return make(service, service)
    case .crossed: return make(service.asAsync, service.asClosure)
    case .http:
      let http = HTTPGateway.storefronts(serving: service)
      return make(http.async, http.closure)
    }
  }

  func makeDashboard(
    profile: any ProfileService & ProfileClosureService, orders: any OrderService & OrderClosureService,
    recommendations: any RecommendationService & RecommendationClosureService
  ) -> any DashboardDriver {
    switch form {
    case .native:
      return stage.makeDashboard(profile: profile, orders: orders, recommendations: recommendations)
    case .crossed:
      return stage.makeDashboard(
        services: ((profile as any ProfileClosureService).asAsync, orders.asAsync, recommendations.asAsync),
        closures: ((profile as any ProfileService).asClosure, orders.asClosure, recommendations.asClosure))
    case .http:
      let http = HTTPGateway.storefronts(serving: profile, orders, recommendations)
      return stage.makeDashboard(
        services: (http.async, http.async, http.async), closures: (http.closure, http.closure, http.closure))
    }
  }

  func makeList(
    service: any PageService<CatalogProduct> & PageClosureService<CatalogProduct>, pageSize: Int
  ) -> any ListDriver {
    let (service, closures) = pages(service)
    return stage.makeList(service: service, closures: closures, pageSize: pageSize)
  }

  func pages(
    _ service: any PageService<CatalogProduct> & PageClosureService<CatalogProduct>
  ) -> (any PageService<CatalogProduct>, any PageClosureService<CatalogProduct>) {
    switch form {
    case .native: (service, service)
    case .crossed: (service.asAsync, service.asClosure)
    case .http: HTTPGateway.storefronts(serving: service)
    }
  }

  func makeSearch<Hit: WireHit>(
    service: any SearchService<Hit> & SearchClosureService<Hit>, clock: VirtualClock, pageSize: Int = 50
  ) -> any SearchDriver<Hit> where Hit.ID: Sendable {
    switch form {
    case .native: return stage.makeSearch(service: service, clock: clock, pageSize: pageSize)
    case .crossed:
      return stage.makeSearch(
        service: service.asAsync, closures: service.asClosure, clock: clock, pageSize: pageSize)
    case .http:
      let hits = HitsOverHTTP<Hit>(serving: service)
      return stage.makeSearch(service: hits, closures: hits, clock: clock, pageSize: pageSize)
    }
  }
}
