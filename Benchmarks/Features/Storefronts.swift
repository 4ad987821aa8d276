import StorefrontDomain

typealias AsyncStorefront = PageService<CatalogProduct> & DetailService<CatalogProduct>
  & SearchService<SearchHit> & ProfileEditingService & OrderService & RecommendationService & PostService

typealias ClosureStorefront = PageClosureService<CatalogProduct> & DetailClosureService<CatalogProduct>
  & SearchClosureService<SearchHit> & ProfileEditingClosureService & OrderClosureService
  & RecommendationClosureService & PostClosureService

/// The services of one storefront, in the forms that the stages need.
struct Storefronts: Sendable {
  let closure: any ClosureStorefront
  let async: any AsyncStorefront
}

/// Where a feature's benchmark runs its services.
enum Backend: Sendable {
  /// A server on this machine, over HTTP. The benchmark measures the time that a user waits.
  case http(ServerProcess)
  /// In memory, with immediate answers. The benchmark measures only the overhead of the view model.
  case memory

  /// The words for the backend in the title of a group.
  var label: String {
    switch self {
    case .http: "over HTTP"
    case .memory: "in memory"
    }
  }
}
