/// A part of a long list.
public struct Page<Item> {
  public let items: [Item]
  /// Which page it is, counted from 0.
  public let index: Int
  /// Whether the list ends here. Asking for the page after the last one is no error: it is empty, and the last.
  public let isLast: Bool

  public init(items: [Item], index: Int, isLast: Bool) {
    self.items = items
    self.index = index
    self.isLast = isLast
  }
}

extension Page: Sendable where Item: Sendable {}
extension Page: Equatable where Item: Equatable {}
extension Page: Encodable where Item: Encodable {}
extension Page: Decodable where Item: Decodable {}

extension Page {
  /// The page that `request` asks for of a list which is all there. O(size of the page).
  public init(_ request: PageRequest, of list: some RandomAccessCollection<Item>) {
    let (offset, isBeyond) = request.index.multipliedReportingOverflow(by: request.size)
    let rest = isBeyond ? list.suffix(0) : list.dropFirst(offset)
    self.init(
      items: Array(rest.prefix(request.size)), index: request.index, isLast: rest.count <= request.size)
  }
}
