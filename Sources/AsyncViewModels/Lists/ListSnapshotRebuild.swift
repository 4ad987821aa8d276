/// A new snapshot while it is put together from an old one and a difference.
struct ListSnapshotRebuild<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
> {
  typealias Section = ListSnapshotSection<SectionID, ItemID, Content>
  typealias Item = ItemCellViewModel<ItemID, Content>
  typealias Difference = ListSnapshotDifference<SectionID, ItemID, Content>
  typealias Failure = ListSnapshotDifferenceError<SectionID, ItemID>

  /// Where a section of the new snapshot comes from.
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

  var sections: [Section] {
    zip(arrangement, rows).map { source, items in
      switch source {
      case .old(let index): Section(id: old.sectionIDs[index], items: items)
      case .inserted(let section): Section(id: section.id, items: items)
      }
    }
  }

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

  /// After ``arrangeSections(_:)``.
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

  /// After ``arrangeItems(_:)``.
  mutating func reconfigureItems(_ difference: Difference) throws(Failure) {
    for change in difference.reconfiguredItems {
      guard let offset = old.offset(at: change.from), old.items[offset] == change.item else {
        throw .itemNotFound(change.item.id, at: change.from)
      }
      let path = change.to
      guard rows.indices.contains(path.section), rows[path.section].indices.contains(path.item),
        rows[path.section][path.item] == change.item
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
