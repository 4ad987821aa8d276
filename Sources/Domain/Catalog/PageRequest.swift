/// Which part of a long list is wanted.
public struct PageRequest: Sendable, Hashable {
  /// The page, counted from 0.
  public let index: Int
  /// How many items a full page has.
  public let size: Int

  /// - Precondition: `index` is not negative, and `size` is at least 1.
  public init(index: Int, size: Int) {
    precondition(index >= 0, "the index of a page is negative: \(index)")
    precondition(size >= 1, "the size of a page is not positive: \(size)")
    self.index = index
    self.size = size
  }

  /// The page after this one.
  public var next: PageRequest { PageRequest(index: index + 1, size: size) }
}
