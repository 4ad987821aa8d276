/// The view model of one list cell: an identity and its current content.
///
/// Equality and hashing use only the id, because a list view treats a cell with new content as the same cell.
/// Use ``hasSameContent(as:)`` to find out whether the cell has to be drawn again.
public struct ItemCellViewModel<ID: Hashable & Sendable, Content: Equatable & Sendable>: Identifiable,
  Sendable
{
  /// The identity of the cell.
  public let id: ID
  /// The content that the cell shows.
  public let content: Content

  /// Creates a cell with an id and a content.
  @inlinable
  public init(id: ID, content: Content) {
    self.id = id
    self.content = content
  }

  /// Returns whether both cells have equal content, regardless of their ids.
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
  /// Creates a cell that takes its id from its content.
  @inlinable
  public init(_ content: Content) { self.init(id: content.id, content: content) }
}
