/// What one cell of a list shows: an identity, and the content that stands under it now.
///
/// Two of them are equal, and hash alike, when their ids are: to a list view a cell with new content is the same cell. Ask
/// ``hasSameContent(as:)`` whether it has to be drawn again.
public struct ItemCellViewModel<ID: Hashable & Sendable, Content: Equatable & Sendable>: Identifiable,
  Sendable
{
  public let id: ID
  public let content: Content

  @inlinable
  public init(id: ID, content: Content) {
    self.id = id
    self.content = content
  }

  /// Whether the two show the same, whatever their ids.
  @inlinable
  public func hasSameContent(as other: ItemCellViewModel) -> Bool { content == other.content }
}

extension ItemCellViewModel: Hashable {
  @inlinable
  public static func == (left: ItemCellViewModel, right: ItemCellViewModel) -> Bool { left.id == right.id }

  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ItemCellViewModel where Content: Identifiable, Content.ID == ID {
  /// The cell of something that has an identity of its own.
  @inlinable
  public init(_ content: Content) { self.init(id: content.id, content: content) }
}
