/// Where an item stands in a ``Snapshot``: the index of its section, and its index there. Ordered as a list shows them.
public struct SnapshotPath: Sendable, Hashable, Comparable {
  public let section: Int
  public let item: Int

  @inlinable
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  @inlinable
  public static func < (left: SnapshotPath, right: SnapshotPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

extension SnapshotPath: CustomStringConvertible {
  public var description: String { "[\(section), \(item)]" }
}
