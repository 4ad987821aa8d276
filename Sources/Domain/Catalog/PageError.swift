public import Foundation

/// The reason why a list cannot be continued, or ends before the service has sent the last page.
public enum PageError: Error, Equatable, Sendable {
  /// The page adds no item, although it is not the last one. Further requests might never end.
  case nothingNew(at: PagePosition)
  /// The service does not know the cursor, or no longer does. Load the list again from the start.
  case expired(PageCursor)
  /// The service pages in the other way: by number, or by cursor after the start.
  case unsupported(PagePosition)
}

extension PageError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .nothingNew(at: .index(let page)):
      "Page \(page) contains nothing new, although it is not the last page."
    case .nothingNew(at: .cursor(let cursor)):
      "The page at the cursor \(cursor) contains nothing new, although it is not the last page."
    case .expired(let cursor): "The cursor \(cursor) of the list has expired. Load the list again."
    case .unsupported(.index(let page)): "The service pages by cursor, and has no page \(page)."
    case .unsupported(.cursor(let cursor)):
      "The service pages by number, and has no page at the cursor \(cursor)."
    }
  }

  public var errorDescription: String? { description }
}
