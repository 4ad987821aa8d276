import StorefrontDomain

typealias AsyncStorefront = PageService<Product> & SearchService<SearchHit> & CartService & ProfileService
  & OrderService & RecommendationService

typealias ClosureStorefront = PageClosureService<Product> & SearchClosureService<SearchHit>
  & CartClosureService & ProfileClosureService & OrderClosureService & RecommendationClosureService

/// The services of one storefront in the forms that the stages need.
struct Storefronts: Sendable {
  let closure: any ClosureStorefront
  let async: any AsyncStorefront
}

/// Where the services of a feature's benchmark are.
enum Backend: Sendable {
  /// In a server on this machine, over HTTP: what a user waits for.
  case http(ServerProcess)
  /// In memory, with the answer at once: what is left is the view model's own overhead.
  case memory

  /// How a title says so.
  var label: String {
    switch self {
    case .http: "over HTTP"
    case .memory: "in memory"
    }
  }

  var usesServer: Bool {
    switch self {
    case .http: true
    case .memory: false
    }
  }
}
