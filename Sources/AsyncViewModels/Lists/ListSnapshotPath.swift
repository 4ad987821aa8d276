/// Where an item stands in a ``ListSnapshot``: the index of its section, and its index there. Ordered as a list shows them.
public struct ListSnapshotPath: Sendable, Hashable, Comparable {
  public let section: Int
  public let item: Int

  @inlinable
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  @inlinable
  public static func < (left: ListSnapshotPath, right: ListSnapshotPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

extension ListSnapshotPath: CustomStringConvertible {
  public var description: String { "[\(section), \(item)]" }
}
