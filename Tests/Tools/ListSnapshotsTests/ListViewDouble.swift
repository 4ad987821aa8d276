import AsyncViewModels
import ListSnapshots
import Testing
import ToolkitTestSupport

/// A list view that performs a batch of updates in the documented order of real list views.
///
/// First, it removes rows at their old paths, from the back. Then it inserts rows at their new paths, from
/// the front. Last, it redraws the reconfigured rows. It stores rows, not snapshots. Each change must name the
/// section or item at its position.
struct ListViewDouble {
  struct Section: Equatable {
    let id: String
    var rows: [TestSnapshot.Item]
  }

  private var sections: [Section]
  private let before: [Section]
  private var movedSections: [(to: Int, section: Section)] = []

  init(showing snapshot: TestSnapshot) {
    before = snapshot.sections.map(\.rows)
    sections = before
  }

  func performing(_ difference: ListSnapshotDifference<String, Int, String>) -> [Section] {
    var view = self
    view.removeOldRows(difference)
    view.insertNewRows(difference)
    for change in difference.reconfiguredItems {
      #expect(before[change.from.section].rows[change.from.item].id == change.item.id)
      #expect(view.sections[change.to.section].rows[change.to.item].id == change.item.id)
      view.sections[change.to.section].rows[change.to.item] = change.item
    }
    return view.sections
  }

  private mutating func removeOldRows(_ difference: ListSnapshotDifference<String, Int, String>) {
    let leaving =
      difference.deletedItems.map { ($0.id, $0.path) } + difference.movedItems.map { ($0.id, $0.from) }
    for (id, path) in leaving.sorted(by: { $0.1 > $1.1 }) {
      #expect(sections[path.section].rows.remove(at: path.item).id == id)
    }
    // A moved section keeps its remaining rows.
    movedSections = difference.movedSections.map { ($0.to, sections[$0.from]) }
    let leavingSections =
      difference.deletedSections.map { ($0.id, $0.index) } + difference.movedSections.map { ($0.id, $0.from) }
    for (id, index) in leavingSections.sorted(by: { $0.1 > $1.1 }) {
      #expect(sections.remove(at: index).id == id)
    }
  }

  private mutating func insertNewRows(_ difference: ListSnapshotDifference<String, Int, String>) {
    let arriving = movedSections + difference.insertedSections.map { ($0.index, $0.section.rows) }
    for (index, section) in arriving.sorted(by: { $0.to < $1.to }) { sections.insert(section, at: index) }
    let rows =
      difference.movedItems.map { ($0.to, before[$0.from.section].rows[$0.from.item]) }
      + difference.insertedItems.map { ($0.path, $0.item) }
    for (path, row) in rows.sorted(by: { $0.0 < $1.0 }) {
      sections[path.section].rows.insert(row, at: path.item)
    }
  }
}

extension TestSnapshot.Section {
  var rows: ListViewDouble.Section { .init(id: id, rows: items) }
}
