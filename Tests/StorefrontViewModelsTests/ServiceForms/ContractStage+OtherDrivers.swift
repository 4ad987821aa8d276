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

  func makeCatalog<SectionID: Hashable & Comparable & Sendable, Item: WireValue & Identifiable & Equatable>(
    service: any PageService<Item> & PageClosureService<Item>, pageSize: Int,
    section: @escaping @Sendable (Item) -> SectionID
  ) -> any CatalogDriver<SectionID, Item> where Item.ID: Sendable {
    let (service, closures) = pages(service)
    return stage.makeCatalog(service: service, closures: closures, pageSize: pageSize, section: section)
  }

  func makeDetail<Item: WireValue & Identifiable>(
    itemID: Int, source: DetailSource, service: any DetailService<Item> & DetailClosureService<Item>
  ) -> any DetailDriver<Item> where Item.ID == Int {
    switch form {
    case .native: return stage.makeDetail(itemID: itemID, source: source, service: service)
    case .crossed:
      return stage.makeDetail(
        itemID: itemID, source: source, service: service.asAsync, closures: service.asClosure)
    case .http:
      let values = ValuesOverHTTP<Item>(serving: service)
      return stage.makeDetail(itemID: itemID, source: source, service: values, closures: values)
    }
  }

  /// Creates the page of a product. The text of each row is the number of the product.
  func makeProductPage(
    service: any DetailService<Row> & DetailClosureService<Row>, cart: SharedCartDriver
  ) -> any ProductPageDriver {
    let products = ProductsOfRows(rows: service)
    switch form {
    case .native: return stage.makeProductPage(itemID: 1, service: products, cart: cart)
    case .crossed:
      return stage.makeProductPage(
        itemID: 1, service: products.asAsync, closures: products.asClosure, cart: cart)
    case .http:
      let overHTTP = ProductsOfRows(rows: ValuesOverHTTP<Row>(serving: service))
      return stage.makeProductPage(itemID: 1, service: overHTTP, cart: cart)
    }
  }
}

/// A service of products that are made from rows: the text of a row is the number of the product.
struct ProductsOfRows: DetailService, DetailClosureService {
  let rows: any DetailService<Row> & DetailClosureService<Row>

  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct {
    CatalogProduct(try await rows.detail(of: id.rawValue))
  }

  func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken {
    rows.detail(of: id.rawValue) { completion($0.map { CatalogProduct($0) }) }
  }
}

extension CatalogProduct {
  fileprivate init(_ row: Row) { self.init(Int(row.text) ?? 0) }
}
