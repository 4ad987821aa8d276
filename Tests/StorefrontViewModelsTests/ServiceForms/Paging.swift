import AsyncViewModels
import StorefrontDomain

/// How the service of a contract pages: the second argument of a contract about pages.
enum Paging: CaseIterable, Sendable, CustomStringConvertible {
  case number, cursor

  var description: String { "by \(self == .number ? "number" : "cursor")" }

  /// Returns a service that pages in this way. The test answers each request by number.
  func service<Item: Sendable>(
    _ service: any PageService<Item> & PageClosureService<Item>
  ) -> any PageService<Item> & PageClosureService<Item> {
    self == .number ? service : CursorPages(base: service)
  }
}

/// A service by cursor, in front of a service by number. Only this type knows what its cursors mean.
private struct CursorPages<Item: Sendable>: PageService, PageClosureService {
  let base: any PageService<Item> & PageClosureService<Item>

  func page(_ request: PageRequest) async throws -> Page<Item> {
    Self.page(try await base.page(Self.request(request)))
  }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Item>, any Error>) -> Void
  ) -> CancellationToken { base.page(Self.request(request)) { completion($0.map(Self.page)) } }

  /// Characters with a meaning in a URL.
  private static var prefix: String { "ö+&=/ " }

  private static func request(_ request: PageRequest) -> PageRequest {
    guard let cursor = request.position.cursor else {
      precondition(request.isFirst, "a service by cursor knows no page \(request.position)")
      return request
    }
    guard cursor.rawValue.hasPrefix(prefix), let index = Int(cursor.rawValue.dropFirst(prefix.count)) else {
      preconditionFailure("\(cursor) is not a cursor of this service")
    }
    return PageRequest(index: index, size: request.size)
  }

  private static func page(_ page: Page<Item>) -> Page<Item> {
    Page(
      items: page.items, next: page.next?.index.map { PageCursor(rawValue: "\(prefix)\($0)") })
  }
}
