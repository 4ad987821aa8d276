/// One item of a ``ListSnapshot``: an identity and the content that the item shows.
///
/// Two items are equal if both their ids and their contents are equal. A list view treats an item
/// with the same id and new content as the same item, and draws it again.
public struct ListSnapshotItem<ID: Hashable & Sendable, Content: Equatable & Sendable>: Identifiable,
  Equatable, Sendable
{
  /// The identity of the item.
  public let id: ID
  /// The content that the item shows.
  public let content: Content

  /// Creates an item with this id and content.
  @inlinable
  public init(id: ID, content: Content) {
    self.id = id
    self.content = content
  }
}

extension ListSnapshotItem: Hashable where Content: Hashable {}

extension ListSnapshotItem where Content: Identifiable, Content.ID == ID {
  /// Creates an item that takes its id from its content.
  @inlinable
  public init(_ content: Content) { self.init(id: content.id, content: content) }
}
