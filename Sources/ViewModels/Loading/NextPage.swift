import StorefrontDomain

/// Where a list that is loaded page by page goes on, and the rules by which it ends.
struct NextPage: Sendable {
  /// The request for the next page. `nil` at the end, and if the service no longer knows the cursor of the next page.
  private(set) var request: PageRequest?
  /// Whether the service no longer knows the cursor of the next page. The list must then be loaded again from the start.
  private(set) var isExpired = false

  init(_ request: PageRequest? = nil) { self.request = request }

  /// Goes on after the page that a request has returned.
  ///
  /// - Parameter addsItems: Whether the page contains an item that the list did not contain.
  /// - Returns: ``/StorefrontDomain/PageError/nothingNew(at:)`` if the page adds no item and is not the last one. The list then ends
  ///   with this page. Otherwise, a service that never sends a last page, repeats a cursor or returns to an earlier one would cause
  ///   requests without end.
  mutating func goOn(after page: Page<some Any>, of request: PageRequest, addsItems: Bool) -> PageError? {
    let isStuck = !page.isLast && !addsItems
    self.request = isStuck ? nil : request.next(after: page)
    return isStuck ? .nothingNew(at: request.position) : nil
  }

  /// Ends the list if the request for the next page has failed because its cursor has expired.
  mutating func end(after error: any Error) {
    guard case PageError.expired = error else { return }
    (request, isExpired) = (nil, true)
  }
}
