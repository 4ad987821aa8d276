public import StorefrontDomain

/// The storefront's search, in its three stages.
public typealias ProductSearchViewModel = SearchViewModel<SearchHit>
public typealias ProductSearchStreamViewModel = SearchStreamViewModel<SearchHit>
public typealias ProductSearchClosureViewModel = SearchClosureViewModel<SearchHit>
