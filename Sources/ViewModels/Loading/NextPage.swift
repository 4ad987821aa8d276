import StorefrontDomain

/// Where a list that is loaded page by page continues, and the rules by which it ends.
struct NextPage: Sendable {
  /// The request for the next page. `nil` at the end, and after its cursor has expired.
  private(set) var request: PageRequest?
  /// Whether the cursor of the next page has expired. The list must then be loaded from the start.
  private(set) var isExpired = false

  init(_ request: PageRequest? = nil) { self.request = request }

  /// Continues after the page of a request.
  ///
  /// A page that adds no item and is not the last one ends the list, with the returned
  /// ``/StorefrontDomain/PageError/nothingNew(at:)``. Otherwise, a service that repeats a cursor
  /// would cause requests without end.
  mutating func advance(past page: Page<some Any>, of request: PageRequest, addsItems: Bool) -> PageError? {
    let isStuck = !page.isLast && !addsItems
    self.request = isStuck ? nil : request.next(after: page)
    return isStuck ? .nothingNew(at: request.position) : nil
  }

  /// Ends the list if the request for the next page failed because its cursor has expired.
  mutating func end(after error: any Error) {
    guard case PageError.expired = error else { return }
    (request, isExpired) = (nil, true)
  }
}
