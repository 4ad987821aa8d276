extension ListSnapshot where Content: Identifiable, Content.ID == ItemID, SectionID: Comparable {
  /// A section for each group of items of which none is there twice.
  init(groupingDistinct items: some Sequence<Content>, by group: (Content) -> SectionID) {
    do { try self.init(grouping: items, by: group) } catch { fatalError("not distinct: \(error)") }
  }

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
}
