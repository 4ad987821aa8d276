public import Foundation

/// One page of a long list.
public struct Page<Item> {
  /// The items of the page.
  public let items: [Item]
  /// The number of the page, counted from 0.
  public let index: Int
  /// Whether the list ends with this page.
  ///
  /// A request past the end of the list is not an error. Its result is an empty page whose `isLast` is `true`.
  public let isLast: Bool

  /// Creates a page.
  public init(items: [Item], index: Int, isLast: Bool) {
    self.items = items
    self.index = index
    self.isLast = isLast
  }
}

extension Page: Sendable where Item: Sendable {}
extension Page: Equatable where Item: Equatable {}
extension Page {
  private enum CodingKeys: CodingKey {
    case items, index, isLast
  }
}

extension Page: Encodable where Item: Encodable {}

extension Page: Decodable where Item: Decodable {
  /// Decodes a page.
  ///
  /// - Throws: `DecodingError`, also for a negative index.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let index = try container.decode(Int.self, forKey: .index)
    try container.require(index >= 0, "negative index: \(index)", of: .index)
    self.init(
      items: try container.decode([Item].self, forKey: .items), index: index,
      isLast: try container.decode(Bool.self, forKey: .isLast))
  }
}

extension Page {
  /// Creates the requested page of a complete list.
  ///
  /// - Complexity: O(size of the page).
  public init(_ request: PageRequest, of list: some RandomAccessCollection<Item>) {
    let (offset, isBeyond) = request.index.multipliedReportingOverflow(by: request.size)
    let rest = isBeyond ? list.suffix(0) : list.dropFirst(offset)
    self.init(
      items: Array(rest.prefix(request.size)), index: request.index, isLast: rest.count <= request.size)
  }
}

/// The reason why a list ends before the service has sent the last page.
public enum PageError: Error, Equatable, Sendable {
  /// The page adds no item to the list, although it is not the last page. If the list requested the following
  /// pages, the requests might never end.
  case nothingNew(page: Int)
}

extension PageError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .nothingNew(let page): "Page \(page) contains nothing new, although it is not the last page."
    }
  }

  public var errorDescription: String? { description }
}

/// A request for one page of a long list.
public struct PageRequest: Sendable, Hashable {
  /// The number of the page, counted from 0.
  public let index: Int
  /// The number of items of a full page. The last page may have fewer items.
  public let size: Int

  /// Creates a request.
  ///
  /// - Precondition: `index` is not negative, and `size` is at least 1.
  public init(index: Int, size: Int) {
    precondition(index >= 0, "PageRequest: negative index \(index)")
    precondition(size >= 1, "PageRequest: the size must be at least 1, not \(size)")
    self.index = index
    self.size = size
  }

  /// The request for the following page. `nil` if `index` is `Int.max`, because no larger index exists.
  public var next: PageRequest? { index == .max ? nil : PageRequest(index: index + 1, size: size) }
}
