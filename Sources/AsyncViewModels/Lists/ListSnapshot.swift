/// What a list of sections shows at one moment: the ids of sections and items, in order, and the content of each item.
///
/// No id stands in it twice: the initialiser refuses that, and everything else relies on it. A snapshot does not change; a copy shares
/// its storage, so states and observers that hold the same one hold it once.
///
/// ```swift
/// let shown = try ListSnapshot([ListSnapshotSection(id: "fruit", items: [ItemCellViewModel(apple), ItemCellViewModel(pear)])])
/// let newest = try ListSnapshot([ListSnapshotSection(id: "fruit", items: [ItemCellViewModel(pear)])])
/// let difference = newest.difference(from: shown)  // one item deleted, at [0, 0]
/// ```
public struct ListSnapshot<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
>: Sendable {
  public typealias Section = ListSnapshotSection<SectionID, ItemID, Content>
  public typealias Item = ItemCellViewModel<ItemID, Content>

  @usableFromInline let storage: ListSnapshotStorage<SectionID, ItemID, Content>

  /// These sections, in this order. O(number of sections and items), and the one place where every id is hashed.
  ///
  /// - Throws: the first duplicate, with its id and both places.
  @inlinable
  public init(_ sections: [Section]) throws(ListSnapshotError<SectionID, ItemID>) {
    storage = try ListSnapshotStorage(sections)
  }

  /// Nothing: no section, no item.
  @inlinable
  public init() {
    do { try self.init([]) } catch { fatalError("nothing has no duplicates: \(error)") }
  }

  @inlinable public var sectionIDs: [SectionID] { storage.sectionIDs }
  @inlinable public var sectionCount: Int { storage.sectionIDs.count }

  /// How many items there are in all sections together.
  @inlinable public var itemCount: Int { storage.items.count }

  /// Whether there is no item; there may be sections.
  @inlinable public var isEmpty: Bool { storage.items.isEmpty }

  /// The items of all sections, in order.
  @inlinable public var items: [Item] { storage.items }

  /// The items of one section.
  ///
  /// - Precondition: there is a section with this index.
  @inlinable
  public func items(inSection index: Int) -> ArraySlice<Item> {
    storage.items[storage.range(ofSection: index)]
  }

  /// The item at a place.
  ///
  /// - Precondition: there is an item at `path`.
  @inlinable
  public subscript(path: ListSnapshotPath) -> Item {
    guard let offset = storage.offset(at: path) else {
      fatalError("the snapshot has no item at \(path)")
    }
    return storage.items[offset]
  }

  /// The index of the section with this id.
  @inlinable
  public func index(ofSection id: SectionID) -> Int? { storage.sectionIndices[id] }

  /// Where the item with this id stands. O(log(number of sections)).
  @inlinable
  public func path(of id: ItemID) -> ListSnapshotPath? { storage.offsets[id].map(storage.path(at:)) }

  /// The item with this id.
  @inlinable
  public func item(_ id: ItemID) -> Item? { storage.offsets[id].map { storage.items[$0] } }

  /// The sections with their items, as the initialiser takes them. O(number of sections and items).
  @inlinable public var sections: [Section] {
    storage.sectionIDs.indices.map { index in
      Section(id: storage.sectionIDs[index], items: Array(items(inSection: index)))
    }
  }
}

extension ListSnapshot: Equatable {
  /// Whether both show the same: the same ids in the same order, with the same contents. O(number of sections and items) unless
  /// they share their storage.
  @inlinable
  public static func == (left: ListSnapshot, right: ListSnapshot) -> Bool {
    if left.storage === right.storage { return true }
    return left.storage.sectionIDs == right.storage.sectionIDs && left.storage.starts == right.storage.starts
      && left.storage.items.elementsEqual(right.storage.items) { $0 == $1 && $0.hasSameContent(as: $1) }
  }
}
