public import Foundation

extension ListSnapshot {
  /// Returns the snapshot that results from applying `difference` to this snapshot.
  ///
  /// This method is the inverse of ``difference(from:)``: `old.applying(new.difference(from: old)) == new`. It
  /// checks every change, and rejects a difference that does not fit this snapshot.
  ///
  /// - Throws: ``ListSnapshotDifferenceError`` for the first change that does not fit, with the id and the
  ///   position of its section or item.
  /// - Complexity: O(number of sections and items).
  public func applying(
    _ difference: ListSnapshotDifference<SectionID, ItemID, Content>
  ) throws(ListSnapshotDifferenceError<SectionID, ItemID>) -> ListSnapshot {
    var rebuild = ListSnapshotRebuild(storage)
    try rebuild.arrangeSections(difference)
    try rebuild.arrangeItems(difference)
    try rebuild.reconfigureItems(difference)
    do { return try ListSnapshot(rebuild.sections) } catch { throw .duplicate(error) }
  }
}

/// A change of a ``ListSnapshotDifference`` that does not fit the ``ListSnapshot`` it is applied to.
public enum ListSnapshotDifferenceError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error,
  Equatable
{
  /// The old snapshot has a different section at this index, or none.
  case sectionNotFound(SectionID, at: Int)
  /// Another change already deletes or moves the section at this index.
  case sectionTaken(SectionID, at: Int)
  /// The new snapshot has no such index, or another change already uses the index.
  case sectionNotPlaced(SectionID, at: Int)
  /// The snapshot has a different item at this path, or none.
  ///
  /// For a deletion or a move, the path belongs to the old snapshot. For a reconfigured item, the path belongs
  /// to the old or to the new snapshot.
  case itemNotFound(ItemID, at: ListSnapshotPath)
  /// Another change already moves or deletes the item, or deletes its section.
  case itemTaken(ItemID, at: ListSnapshotPath)
  /// The new snapshot has no such path, another change already uses the path, or the path is in an inserted
  /// section.
  case itemNotPlaced(ItemID, at: ListSnapshotPath)
  /// The result would contain a duplicate id.
  case duplicate(ListSnapshotError<SectionID, ItemID>)
}

extension ListSnapshotDifferenceError: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .sectionNotFound(let id, let index): "The old snapshot has no section \(id) at index \(index)."
    case .sectionTaken(let id, let index):
      "The difference deletes or moves the section \(id), at the old index \(index), more than once."
    case .sectionNotPlaced(let id, let index):
      "The section \(id) cannot go to index \(index): it is out of range, or another change uses it."
    case .itemNotFound(let id, let path): "The snapshot has no item \(id) at \(path)."
    case .itemTaken(let id, let path):
      "The difference deletes or moves the item \(id), at the old path \(path), more than once, or deletes its section."
    case .itemNotPlaced(let id, let path):
      """
      The item \(id) cannot go to \(path): the path is out of range or used by another change, or its section is \
      inserted with all its items.
      """
    case .duplicate(let error): error.description
    }
  }

  public var errorDescription: String? { description }
}

/// Builds a new snapshot from an old one and a difference.
struct ListSnapshotRebuild<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
> {
  typealias Section = ListSnapshotSection<SectionID, ItemID, Content>
  typealias Item = ListSnapshotItem<ItemID, Content>
  typealias Difference = ListSnapshotDifference<SectionID, ItemID, Content>
  typealias Failure = ListSnapshotDifferenceError<SectionID, ItemID>

  /// Where a section of the new snapshot comes from: the old snapshot or the difference.
  private enum Source {
    case old(Int)
    case inserted(Section)
  }

  private let old: ListSnapshotStorage<SectionID, ItemID, Content>
  private var arrangement: [Source] = []
  private var rows: [[Item]] = []
  private var isTaken: [Bool]

  init(_ old: ListSnapshotStorage<SectionID, ItemID, Content>) {
    self.old = old
    isTaken = Array(repeating: false, count: old.items.count)
  }

  /// The sections of the new snapshot, after all three steps.
  var sections: [Section] {
    zip(arrangement, rows).map { source, items in
      switch source {
      case .old(let index): Section(id: old.sectionIDs[index], items: items)
      case .inserted(let section): Section(id: section.id, items: items)
      }
    }
  }

  /// First step: puts the sections in their new order.
  mutating func arrangeSections(_ difference: Difference) throws(Failure) {
    var isTaken = [Bool](repeating: false, count: old.sectionIDs.count)
    func take(_ id: SectionID, at index: Int) throws(Failure) {
      guard isTaken.indices.contains(index), old.sectionIDs[index] == id else {
        throw .sectionNotFound(id, at: index)
      }
      guard !isTaken[index] else { throw .sectionTaken(id, at: index) }
      isTaken[index] = true
    }
    for deleted in difference.deletedSections {
      try take(deleted.id, at: deleted.index)
      for offset in old.range(ofSection: deleted.index) { self.isTaken[offset] = true }
    }
    for moved in difference.movedSections { try take(moved.id, at: moved.from) }

    let count = isTaken.count - difference.deletedSections.count + difference.insertedSections.count
    var places = [Source?](repeating: nil, count: count)
    func place(_ source: Source, _ id: SectionID, at index: Int) throws(Failure) {
      guard places.indices.contains(index), places[index] == nil else {
        throw .sectionNotPlaced(id, at: index)
      }
      places[index] = source
    }
    for moved in difference.movedSections { try place(.old(moved.from), moved.id, at: moved.to) }
    for inserted in difference.insertedSections {
      try place(.inserted(inserted.section), inserted.section.id, at: inserted.index)
    }
    var rest = isTaken.indices.lazy.filter { !isTaken[$0] }.makeIterator()
    arrangement = places.compactMap { $0 ?? rest.next().map(Source.old) }
  }

  /// Second step: puts the items in their new order.
  mutating func arrangeItems(_ difference: Difference) throws(Failure) {
    for deleted in difference.deletedItems { try takeItem(deleted.id, at: deleted.path) }
    var arriving: [ListSnapshotPath: Item] = [:]
    var arrivals = [Int](repeating: 0, count: arrangement.count)
    func announce(_ item: Item, at path: ListSnapshotPath) throws(Failure) {
      guard arrangement.indices.contains(path.section), case .old = arrangement[path.section],
        arriving.updateValue(item, forKey: path) == nil
      else { throw .itemNotPlaced(item.id, at: path) }
      arrivals[path.section] += 1
    }
    for moved in difference.movedItems {
      let offset = try takeItem(moved.id, at: moved.from)
      try announce(old.items[offset], at: moved.to)
    }
    for inserted in difference.insertedItems { try announce(inserted.item, at: inserted.path) }

    for (section, source) in arrangement.enumerated() {
      switch source {
      case .inserted(let inserted): rows.append(inserted.items)
      case .old(let index):
        var rest = old.range(ofSection: index).filter { !isTaken[$0] }[...]
        var items: [Item] = []
        for item in 0..<rest.count + arrivals[section] {
          let path = ListSnapshotPath(section: section, item: item)
          if let arrived = arriving.removeValue(forKey: path) {
            items.append(arrived)
          } else if let offset = rest.popFirst() {
            items.append(old.items[offset])
          }
        }
        rows.append(items)
      }
    }
    if let (path, item) = arriving.min(by: { $0.key < $1.key }) { throw .itemNotPlaced(item.id, at: path) }
  }

  /// Third step: gives the reconfigured items their new content.
  mutating func reconfigureItems(_ difference: Difference) throws(Failure) {
    for change in difference.reconfiguredItems {
      guard let offset = old.offset(at: change.from), old.items[offset].id == change.item.id else {
        throw .itemNotFound(change.item.id, at: change.from)
      }
      let path = change.to
      guard rows.indices.contains(path.section), rows[path.section].indices.contains(path.item),
        rows[path.section][path.item].id == change.item.id
      else { throw .itemNotFound(change.item.id, at: path) }
      rows[path.section][path.item] = change.item
    }
  }

  @discardableResult
  private mutating func takeItem(_ id: ItemID, at path: ListSnapshotPath) throws(Failure) -> Int {
    guard let offset = old.offset(at: path), old.items[offset].id == id else {
      throw .itemNotFound(id, at: path)
    }
    guard !isTaken[offset] else { throw .itemTaken(id, at: path) }
    isTaken[offset] = true
    return offset
  }
}
