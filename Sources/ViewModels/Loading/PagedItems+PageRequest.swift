import AsyncViewModels
import StorefrontDomain

extension PagedItems where Request == PageRequest {
  /// - Precondition: `pageSize` is at least 1.
  init(pageSize: Int) { self.init(first: PageRequest(size: pageSize)) }

  /// Ends the running request with the outcome of a storefront's service.
  mutating func receivePage(_ outcome: TaskOutcome<StorefrontDomain.Page<Item>>) {
    guard let request = pendingRequest else { return }
    let page: TaskOutcome<Page> =
      switch outcome {
      case .success(let page): .success(Page(items: page.items, next: request.next(after: page)))
      case .failure(let error): .failure(error)
      case .cancelled: .cancelled
      }
    receive(
      page, isExpired: { if case PageError.expired = $0 { true } else { false } },
      nothingNew: PageError.nothingNew(at: request.position))
  }
}
