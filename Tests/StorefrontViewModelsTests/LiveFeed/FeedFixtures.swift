import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension CatalogProduct {
  /// The product with another price in cents.
  func costing(_ cents: Int) -> CatalogProduct {
    CatalogProduct(
      id: id, name: name, price: Money(minorUnits: cents, currency: price.currency), stock: stock)
  }
}

extension ProductUpdate {
  /// A change of the price, in cents.
  static func price(_ product: CatalogProduct.ID, _ cents: Int, _ currency: Currency = .usd) -> ProductUpdate
  {
    ProductUpdate(product: product, price: Money(minorUnits: cents, currency: currency))
  }
}

extension Page<CatalogProduct> {
  static func products(_ items: CatalogProduct..., index: Int = 0, isLast: Bool = false) -> Page {
    Page(items: items, index: index, isLast: isLast)
  }
}

extension ContractStage {
  /// Creates a list with two products on each page that follows a feed. In the crossed form, both services are behind bridges.
  func makeList(
    service: any PageService<CatalogProduct> & PageClosureService<CatalogProduct>,
    feed: some ProductFeed & ProductClosureFeed
  ) -> any ListDriver {
    form == .crossed
      ? stage.makeList(
        service: service.asAsync, closures: service.asClosure, feed: feed.asAsync,
        closureFeed: feed.asClosure,
        pageSize: 2)
      : stage.makeList(
        service: service, closures: service, feed: feed, closureFeed: feed, pageSize: 2)
  }
}
