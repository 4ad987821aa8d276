extension ListSnapshot where Content: Identifiable, Content.ID == ItemID, SectionID: Comparable {
  /// A section for each group that has items, in the order of the groups; within, the items keep the order they came in.
  ///
  /// Cost: O(items), besides sorting the groups.
  ///
  /// - Throws: the first item that is there twice, with both places.
  @inlinable
  public init(
    grouping items: some Sequence<Content>, by group: (Content) -> SectionID
  ) throws(ListSnapshotError<SectionID, ItemID>) {
    let groups = Dictionary(grouping: items, by: group)
    try self.init(
      groups.keys.sorted().map { Section(id: $0, items: groups[$0, default: []].map { Item($0) }) })
  }

  /// A section for each group of items whose ids are known to be unique.
  ///
  /// Use ``init(grouping:by:)`` for items from outside: it throws where this initializer stops the process.
  ///
  /// - Precondition: No two items have the same id.
  /// - Complexity: O(items), plus sorting the groups.
  @inlinable
  public init(groupingUnique items: some Sequence<Content>, by group: (Content) -> SectionID) {
    do { try self.init(grouping: items, by: group) } catch {
      fatalError("ListSnapshot(groupingUnique:by:): \(error)")
    }
  }
}
