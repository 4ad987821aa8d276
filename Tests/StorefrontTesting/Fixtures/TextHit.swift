package import StorefrontDomain

/// A hit of a search that is its text.
package struct TextHit: Identifiable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible
{
  package let text: String
  /// A later version of a hit has the same text and another version.
  package let version: Int

  package init(_ text: String, version: Int = 0) {
    self.text = text
    self.version = version
  }

  package init(stringLiteral text: String) { self.init(text) }

  package var id: String { text }
  package var description: String { version == 0 ? text : "\(text) (\(version))" }
}

/// One request of a search: a query and a page. A string literal is the first page of a query.
package struct SearchCall: Hashable, Sendable, ExpressibleByStringLiteral {
  package let query: String
  package let page: PageRequest

  package init(_ query: String, page: PageRequest = PageRequest(size: 50)) {
    self.query = query
    self.page = page
  }

  package init(stringLiteral query: String) { self.init(query) }
}

extension Page: ExpressibleByArrayLiteral {
  /// Creates the last page by cursor.
  package init(arrayLiteral items: Item...) { self.init(items: items, next: nil) }
}

extension Page {
  /// Creates a page by cursor. The list ends with this page if `cursor` is `nil`.
  package init(_ items: [Item], cursor: String?) {
    self.init(items: items, next: cursor.map { PageCursor(rawValue: $0) })
  }
}

extension PageRequest {
  /// Creates a request for the page at a cursor.
  package init(cursor: String, size: Int) {
    self.init(at: .cursor(PageCursor(rawValue: cursor)), size: size)
  }
}
