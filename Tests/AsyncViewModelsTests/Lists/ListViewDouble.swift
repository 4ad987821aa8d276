import AsyncViewModels

/// A list view that takes a batch of updates as real ones document it: first what leaves, by its old place and from the back; then what
/// arrives, by its new place and from the front; last, what is drawn again. It knows rows, not snapshots.
struct ListViewDouble {
  struct Section: Equatable {
    let id: String
    var rows: [String]
  }

  private var sections: [Section]
  private let before: [Section]

  init(showing snapshot: Shelves) {
    before = snapshot.sections.map(\.rows)
    sections = before
  }

  func performing(_ difference: ListSnapshotDifference<String, Int, String>) -> [Section] {
    var view = self
    view.removeWhatLeaves(difference)
    view.addWhatArrives(difference)
    for change in difference.reconfiguredItems {
      view.sections[change.to.section].rows[change.to.item] = change.item.row
    }
    return view.sections
  }

  private mutating func removeWhatLeaves(_ difference: ListSnapshotDifference<String, Int, String>) {
    let leaving = difference.deletedItems.map(\.path) + difference.movedItems.map(\.from)
    for path in leaving.sorted().reversed() { sections[path.section].rows.remove(at: path.item) }
    // A section that moves takes what is left of it along.
    moving = difference.movedSections.map { ($0.to, sections[$0.from]) }
    for index in (difference.deletedSections.map(\.index) + difference.movedSections.map(\.from)).sorted()
      .reversed()
    {
      sections.remove(at: index)
    }
  }

  private var moving: [(to: Int, section: Section)] = []

  private mutating func addWhatArrives(_ difference: ListSnapshotDifference<String, Int, String>) {
    let arriving = moving + difference.insertedSections.map { ($0.index, $0.section.rows) }
    for (index, section) in arriving.sorted(by: { $0.to < $1.to }) { sections.insert(section, at: index) }
    let rows =
      difference.movedItems.map { ($0.to, before[$0.from.section].rows[$0.from.item]) }
      + difference.insertedItems.map { ($0.path, $0.item.row) }
    for (path, row) in rows.sorted(by: { $0.0 < $1.0 }) {
      sections[path.section].rows.insert(row, at: path.item)
    }
  }
}

extension Shelves.Section {
  var rows: ListViewDouble.Section { .init(id: id, rows: items.map(\.row)) }
}

extension Shelves.Item {
  var row: String { "\(id): \(content)" }
}
