/// A section of a ``ListSnapshot``, before it is made or after it is taken apart.
public struct ListSnapshotSection<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
>: Identifiable, Sendable {
  public typealias Item = ItemCellViewModel<ItemID, Content>

  public let id: SectionID
  public let items: [Item]

  @inlinable
  public init(id: SectionID, items: [Item] = []) {
    self.id = id
    self.items = items
  }
}
