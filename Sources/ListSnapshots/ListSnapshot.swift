/// The sections and items that a list shows at one moment: their ids in order, and the content of
/// each item.
///
/// All section ids are unique, and so are all item ids: the initializer throws an error for a
/// duplicate. A snapshot is immutable. Its copies share one storage, so a snapshot takes memory
/// once, even if a state and several observers keep it.
///
/// ```swift
/// let items = [ListSnapshotItem(apple), ListSnapshotItem(pear)]
/// let shown = try ListSnapshot([ListSnapshotSection(id: "fruit", items: items)])
/// let newest = try ListSnapshot([ListSnapshotSection(id: "fruit", items: [items[1]])])
/// let difference = newest.difference(from: shown)  // one item deleted, at [0, 0]
/// ```
public struct ListSnapshot<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
>: Sendable {
  /// A section of this snapshot.
  public typealias Section = ListSnapshotSection<SectionID, ItemID, Content>
  /// An item of this snapshot.
  public typealias Item = ListSnapshotItem<ItemID, Content>

  @usableFromInline let storage: ListSnapshotStorage<SectionID, ItemID, Content>

  /// Creates a snapshot with these sections, in this order.
  ///
  /// - Throws: ``ListSnapshotError`` for the first duplicate section id or, if the section ids are
  ///   unique, for the first duplicate item id. The error contains the id and both positions.
  /// - Complexity: O(number of sections and items). The initializer hashes every id once.
  @inlinable
  public init(_ sections: [Section]) throws(ListSnapshotError<SectionID, ItemID>) {
    storage = try ListSnapshotStorage(sections)
  }

  /// Creates a snapshot without sections and without items.
  @inlinable
  public init() {
    do { try self.init([]) } catch { fatalError("An empty snapshot cannot contain duplicates: \(error)") }
  }

  /// The ids of all sections, in order.
  @inlinable public var sectionIDs: [SectionID] { storage.sectionIDs }

  /// The number of sections.
  @inlinable public var sectionCount: Int { storage.sectionIDs.count }

  /// The number of items in all sections.
  @inlinable public var itemCount: Int { storage.items.count }

  /// Whether the snapshot has no items. An empty snapshot may have sections.
  @inlinable public var isEmpty: Bool { storage.items.isEmpty }

  /// The items of all sections, in order.
  @inlinable public var items: [Item] { storage.items }

  /// Returns the items of one section, in order.
  ///
  /// - Precondition: `index` is the index of a section.
  @inlinable
  public func items(inSection index: Int) -> ArraySlice<Item> {
    storage.items[storage.range(ofSection: index)]
  }

  /// The item at a path.
  ///
  /// - Precondition: The snapshot has an item at `path`.
  @inlinable
  public subscript(path: ListSnapshotPath) -> Item {
    guard let offset = storage.offset(at: path) else {
      fatalError("ListSnapshot: there is no item at \(path)")
    }
    return storage.items[offset]
  }

  /// Returns the index of the section with this id, or `nil` if there is no such section.
  @inlinable
  public func index(ofSection id: SectionID) -> Int? { storage.sectionIndices[id] }

  /// Returns the path of the item with this id, or `nil` if there is no such item.
  ///
  /// - Complexity: O(log(number of sections)).
  @inlinable
  public func path(of id: ItemID) -> ListSnapshotPath? { storage.offsets[id].map(storage.path(at:)) }

  /// Returns the item with this id, or `nil` if there is no such item.
  @inlinable
  public func item(_ id: ItemID) -> Item? { storage.offsets[id].map { storage.items[$0] } }

  /// The sections with their items, in the form that ``init(_:)`` takes.
  ///
  /// - Complexity: O(number of sections and items).
  @inlinable public var sections: [Section] {
    storage.sectionIDs.indices.map { index in
      Section(id: storage.sectionIDs[index], items: Array(items(inSection: index)))
    }
  }
}

extension ListSnapshot: Equatable {
  /// Returns whether both snapshots have the same sections and items, in the same order and with
  /// equal contents.
  ///
  /// - Complexity: O(number of sections and items), or O(1) if both share their storage.
  @inlinable
  public static func == (left: ListSnapshot, right: ListSnapshot) -> Bool {
    if left.storage === right.storage { return true }
    return left.storage.sectionIDs == right.storage.sectionIDs && left.storage.starts == right.storage.starts
      && left.storage.items.elementsEqual(right.storage.items)
  }
}

extension ListSnapshot where Content: Identifiable, Content.ID == ItemID, SectionID: Comparable {
  /// Creates a snapshot with the items grouped into sections.
  ///
  /// `group` returns the section id of an item. The snapshot has one section for each id that
  /// `group` returns. The sections are sorted by id, and the items of a section keep their order.
  ///
  /// - Throws: ``ListSnapshotError/duplicateItem(_:at:and:)`` for the first duplicate item, with
  ///   both paths.
  /// - Complexity: O(number of items), plus the cost of sorting the section ids.
  @inlinable
  public init(
    grouping items: some Sequence<Content>, by group: (Content) -> SectionID
  ) throws(ListSnapshotError<SectionID, ItemID>) {
    let groups = Dictionary(grouping: items, by: group)
    try self.init(
      groups.keys.sorted().map { Section(id: $0, items: groups[$0, default: []].map { Item($0) }) })
  }

  /// Creates a snapshot with the items grouped into sections. Stops the process if two ids are
  /// equal.
  ///
  /// Use ``init(grouping:by:)`` for items from outside the app: that initializer throws an error
  /// for a duplicate item. There is no other difference between the two initializers.
  ///
  /// - Precondition: No two items have the same id.
  /// - Complexity: O(number of items), plus the cost of sorting the section ids.
  @inlinable
  public init(groupingUnique items: some Sequence<Content>, by group: (Content) -> SectionID) {
    do { try self.init(grouping: items, by: group) } catch {
      fatalError("ListSnapshot(groupingUnique:by:): \(error)")
    }
  }
}

/// A section with its items. A ``ListSnapshot`` is created from sections and returns them.
public struct ListSnapshotSection<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
>: Identifiable, Sendable {
  /// An item of this section.
  public typealias Item = ListSnapshotItem<ItemID, Content>

  /// The identity of the section.
  public let id: SectionID
  /// The items of the section, in order.
  public let items: [Item]

  /// Creates a section with an id and its items.
  @inlinable
  public init(id: SectionID, items: [Item] = []) {
    self.id = id
    self.items = items
  }
}

/// The position of an item in a ``ListSnapshot``: the index of the section, and the index of the
/// item in the section.
///
/// Paths compare in the order in which a list shows their items.
public struct ListSnapshotPath: Sendable, Hashable, Comparable {
  /// The index of the section.
  public let section: Int
  /// The index of the item in its section.
  public let item: Int

  /// Creates a path from two indices.
  @inlinable
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Returns whether the item at `left` comes before the item at `right`.
  @inlinable
  public static func < (left: ListSnapshotPath, right: ListSnapshotPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

extension ListSnapshotPath: CustomStringConvertible {
  public var description: String { "[\(section), \(item)]" }
}

/// A duplicate id among the sections or among the items for a ``ListSnapshot``.
public enum ListSnapshotError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error, Equatable {
  /// Two sections, at these indices, have the same id.
  case duplicateSection(SectionID, at: Int, and: Int)
  /// Two items, at these paths, have the same id. They can be in the same section or in two
  /// sections.
  case duplicateItem(ItemID, at: ListSnapshotPath, and: ListSnapshotPath)
}

extension ListSnapshotError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .duplicateSection(let id, let first, let second):
      "Two sections have the id \(id): those at \(first) and \(second)."
    case .duplicateItem(let id, let first, let second):
      "Two items have the id \(id): those at \(first) and \(second)."
    }
  }
}
