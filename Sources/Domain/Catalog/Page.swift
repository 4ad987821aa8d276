/// One page of a long list.
///
/// A page by number has an ``index``, and the next page has the following number. A page by cursor
/// has the cursor of the next page instead. Code that sends ``next`` back to the service works for
/// both.
public struct Page<Item> {
  /// The items of the page.
  public let items: [Item]
  /// The number of the page, counted from 0. `nil` for a page by cursor.
  public let index: Int?
  /// Where the next page begins. `nil` if the list ends with this page.
  public let next: PagePosition?
  /// The number of elements that the page leaves out, because they could not be decoded. They count
  /// toward the size of the page.
  public private(set) var omittedCount = 0

  private init(items: [Item], index: Int?, next: PagePosition?) {
    self.items = items
    self.index = index
    self.next = next
  }

  /// Creates a page by number. A page past the end of the list is empty, and the last one. So is
  /// the page with the index `Int.max`, because no larger index exists.
  ///
  /// - Precondition: `index` is not negative. Decoding a negative index throws an error.
  public init(items: [Item], index: Int, isLast: Bool) {
    precondition(index >= 0, "Page: negative index \(index)")
    self.init(items: items, index: index, next: isLast || index == .max ? nil : .index(index + 1))
  }

  /// Creates a page by cursor. The list ends with this page if `next` is `nil`.
  public init(items: [Item], next: PageCursor?) {
    self.init(items: items, index: nil, next: next.map { .cursor($0) })
  }

  /// Whether the list ends with this page.
  public var isLast: Bool { next == nil }
}

extension Page: Sendable where Item: Sendable {}
extension Page: Equatable where Item: Equatable {}

extension Page {
  private enum CodingKeys: CodingKey {
    case items, index, isLast, next
  }
}

extension Page: Encodable where Item: Encodable {
  /// Encodes `items`, `index` and `isLast` of a page by number, or `items` and `next` of a page by
  /// cursor. In the last page by cursor, `next` is null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(items, forKey: .items)
    if let index {
      try container.encode(index, forKey: .index)
      try container.encode(isLast, forKey: .isLast)
    } else {
      try container.encode(next?.cursor, forKey: .next)
    }
  }
}

extension Page: Decodable where Item: Decodable {
  /// Decodes a page of either kind. A page with an `index` or an `isLast` is a page by number and
  /// needs both. Any other page needs `next`, so that a list from another service does not look
  /// complete.
  ///
  /// An element of `items` that cannot be decoded is left out and counts toward ``omittedCount``.
  /// If no element can be decoded, the error is that of the first one. To refuse a page with any
  /// such element, set `decoder.userInfo[.decodesAllPageItems] = true`.
  ///
  /// - Throws: `DecodingError`, also for a negative index, an empty cursor, and a page by number
  ///   with a cursor.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let (items, omittedCount) = try Self.items(in: container, needsAll: decoder.needsAllPageItems)
    guard container.contains(.index) || container.contains(.isLast) else {
      self.init(items: items, next: try container.decode(PageCursor?.self, forKey: .next))
      self.omittedCount = omittedCount
      return
    }
    let next = try container.decodeIfPresent(PageCursor.self, forKey: .next)
    let index = try container.decode(Int.self, forKey: .index)
    try container.require(index >= 0, "negative index: \(index)", of: .index)
    try container.require(next == nil, "a page with a number has a cursor", of: .next)
    self.init(items: items, index: index, isLast: try container.decode(Bool.self, forKey: .isLast))
    self.omittedCount = omittedCount
  }

  private static func items(
    in container: KeyedDecodingContainer<CodingKeys>, needsAll: Bool
  ) throws -> (items: [Item], omittedCount: Int) {
    guard !needsAll else { return (try container.decode([Item].self, forKey: .items), 0) }
    let elements = try container.decode([PageElement<Item>].self, forKey: .items)
    let items = elements.compactMap(\.item)
    // Decodes again for the error of the first element, with its path.
    if items.isEmpty, !elements.isEmpty { _ = try container.decode([Item].self, forKey: .items) }
    return (items, elements.count - items.count)
  }
}

private struct PageElement<Item: Decodable>: Decodable {
  let item: Item?

  init(from decoder: any Decoder) throws { item = try? Item(from: decoder) }
}

extension CodingUserInfoKey {
  /// Whether a decoder refuses a ``Page`` with an element that cannot be decoded (`true`).
  public static let decodesAllPageItems = CodingUserInfoKey(rawValue: "Storefront.decodesAllPageItems")!
}

extension Decoder {
  fileprivate var needsAllPageItems: Bool { userInfo[.decodesAllPageItems] as? Bool == true }
}

extension Page {
  /// Creates the requested page of a complete list, by number.
  ///
  /// - Precondition: The request has an index, not a cursor.
  public init(_ request: PageRequest, of list: some RandomAccessCollection<Item>) {
    guard let index = request.index else {
      preconditionFailure("Page: a complete list has no page at the cursor \(request.position)")
    }
    let (offset, isBeyond) = index.multipliedReportingOverflow(by: request.size)
    let rest = isBeyond ? list.suffix(0) : list.dropFirst(offset)
    self.init(items: Array(rest.prefix(request.size)), index: index, isLast: rest.count <= request.size)
  }

  /// Returns the page with the result of `transform` for each item.
  public func map<Other, Failure>(_ transform: (Item) throws(Failure) -> Other) throws(Failure) -> Page<Other>
  {
    var page = Page<Other>(items: try items.map(transform), index: index, next: next)
    page.omittedCount = omittedCount
    return page
  }
}

/// A request for one page of a long list.
public struct PageRequest: Sendable, Hashable {
  /// Where the page begins.
  public let position: PagePosition
  /// The number of items of a full page.
  public let size: Int

  /// Creates a request, by default for the first page.
  ///
  /// - Precondition: An index is not negative, and `size` is at least 1.
  public init(at position: PagePosition = .start, size: Int) {
    if let index = position.index { precondition(index >= 0, "PageRequest: negative index \(index)") }
    precondition(size >= 1, "PageRequest: the size must be at least 1, not \(size)")
    self.position = position
    self.size = size
  }

  /// Creates a request for the page with a number.
  ///
  /// - Precondition: `index` is not negative, and `size` is at least 1.
  public init(index: Int, size: Int) { self.init(at: .index(index), size: size) }

  /// The number of the page, counted from 0. `nil` for a cursor.
  public var index: Int? { position.index }

  /// Whether the request is for the first page.
  public var isFirst: Bool { position == .start }

  /// The request for the page after `page`, with the same size, unless the list ends.
  public func next(after page: Page<some Any>) -> PageRequest? {
    page.next.map { PageRequest(at: $0, size: size) }
  }
}
