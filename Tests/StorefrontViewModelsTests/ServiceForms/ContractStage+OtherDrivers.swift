import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

// The features without a variant in Combine, in `Benchmarks/Peers`. See ContractStage+Drivers.swift.
extension ContractStage {
  func makePosts(service: any PostService & PostClosureService, pageSize: Int = 50) -> any PostsDriver {
    switch form {
    case .native: return stage.makePosts(service: service, pageSize: pageSize)
    case .crossed:
      return stage.makePosts(service: service.asAsync, closures: service.asClosure, pageSize: pageSize)
    case .http:
      let http = HTTPGateway.storefronts(serving: service)
      return stage.makePosts(service: http.async, closures: http.closure, pageSize: pageSize)
    }
  }

  func makeProfile(
    restoring saved: SavedProfileDraft? = nil,
    service: any ProfileEditingService & ProfileEditingClosureService,
    storage: (any ProfileDraftStorage & ProfileDraftClosureStorage)? = nil
  ) -> any ProfileDriver {
    func make(
      _ service: any ProfileEditingService, _ closures: any ProfileEditingClosureService
    ) -> any ProfileDriver {
      stage.makeProfile(restoring: saved, service: service, closures: closures, storage: storage)
    }
    switch form {
    case .native: return make(service, service)
    case .crossed:
      return make(
        (service as any ProfileEditingClosureService).asAsync,
        (service as any ProfileEditingService).asClosure)
    case .http:
      let http = HTTPGateway.storefronts(serving: service)
      return make(http.async, http.closure)
    }
  }

  func makeCatalog<SectionID: Hashable & Comparable & Sendable>(
    service: any PageService<CatalogProduct> & PageClosureService<CatalogProduct>, pageSize: Int,
    section: @escaping @Sendable (CatalogProduct) -> SectionID
  ) -> any CatalogDriver<SectionID, CatalogProduct> {
    let (service, closures) = pages(service)
    return stage.makeCatalog(service: service, closures: closures, pageSize: pageSize, section: section)
  }

  func makeDetail(
    itemID: CatalogProduct.ID, source: DetailSource,
    service: any DetailService<CatalogProduct> & DetailClosureService<CatalogProduct>
  ) -> any DetailDriver {
    let (service, closures) = details(service)
    return stage.makeDetail(itemID: itemID, source: source, service: service, closures: closures)
  }

  func makeProductPage(
    service: any DetailService<CatalogProduct> & DetailClosureService<CatalogProduct>, cart: SharedCartDriver
  ) -> any ProductPageDriver {
    let (service, closures) = details(service)
    return stage.makeProductPage(itemID: 1, service: service, closures: closures, cart: cart)
  }

  private func details(
    _ service: any DetailService<CatalogProduct> & DetailClosureService<CatalogProduct>
  ) -> (any DetailService<CatalogProduct>, any DetailClosureService<CatalogProduct>) {
    switch form {
    case .native: (service, service)
    case .crossed: (service.asAsync, service.asClosure)
    case .http: HTTPGateway.storefronts(serving: service)
    }
  }
}
