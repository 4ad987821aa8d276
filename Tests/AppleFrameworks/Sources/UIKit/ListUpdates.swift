import Foundation

/// The updates of one batch of a table view or a collection view. Stops the process where UIKit does: if the updates
/// contradict each other, or do not lead to the numbers of the data source.
struct ListUpdates {
  var deletedSections: [Int] = []
  var insertedSections: [Int] = []
  var movedSections: [(from: Int, to: Int)] = []
  var deletedItems: [IndexPath] = []
  var insertedItems: [IndexPath] = []
  var movedItems: [(from: IndexPath, to: IndexPath)] = []

  /// Returns the cells after the updates, with `nil` for each new cell.
  ///
  /// - Parameters:
  ///   - old: The cells before the updates, by section.
  ///   - counts: The numbers of items in the sections of the data source, after the updates.
  func applied<Cell>(to old: [[Cell]], counts: [Int]) -> [[Cell?]] {
    checkSections(old.count, counts.count)
    let origins = origins(of: counts.count, from: old.count)
    return origins.indices.map { index in
      guard let origin = origins[index] else { return Array(repeating: nil, count: counts[index]) }
      return items(of: index, from: origin, in: old, count: counts[index])
    }
  }

  /// Returns the old index of each new section, or `nil` if the section was inserted.
  private func origins(of count: Int, from oldCount: Int) -> [Int?] {
    var rest = (0..<oldCount).filter { index in
      !deletedSections.contains(index) && !movedSections.contains { $0.from == index }
    }[...]
    return (0..<count).map { index in
      if insertedSections.contains(index) { return nil }
      return movedSections.first { $0.to == index }?.from ?? rest.popFirst()
    }
  }

  private func items<Cell>(of section: Int, from origin: Int, in old: [[Cell]], count: Int) -> [Cell?] {
    let removed = deletedItems + movedItems.map(\.from)
    var rest = old[origin].indices.filter { !removed.contains(IndexPath(item: $0, section: origin)) }[...]
    let added = insertedItems.count { $0.section == section } + movedItems.count { $0.to.section == section }
    check(
      rest.count + added == count,
      "section \(section) has \(count) items, but the updates lead to \(rest.count + added)")
    return (0..<count).map { item in
      let path = IndexPath(item: item, section: section)
      if insertedItems.contains(path) { return nil }
      if let source = movedItems.first(where: { $0.to == path })?.from {
        return old[source.section][source.item]
      }
      guard let index = rest.popFirst() else { fatalError("Invalid batch update: \(path) has no item") }
      return old[origin][index]
    }
  }

  private func checkSections(_ oldCount: Int, _ count: Int) {
    let expected = oldCount - deletedSections.count + insertedSections.count
    check(expected == count, "there are \(count) sections, but the updates lead to \(expected)")
    let gone = deletedSections + movedSections.map(\.from)
    let new = insertedSections + movedSections.map(\.to)
    check(Set(gone).count == gone.count, "a section is deleted or moved twice")
    check(Set(new).count == new.count, "two sections have the same new index")
    let sources = deletedItems + movedItems.map(\.from)
    let targets = insertedItems + movedItems.map(\.to)
    check(Set(sources).count == sources.count, "an item is deleted or moved twice")
    check(Set(targets).count == targets.count, "two items have the same new index path")
    check(
      !sources.contains { gone.contains($0.section) }, "an item leaves a section that is deleted or moved")
    check(
      !targets.contains { new.contains($0.section) }, "an item enters a section that is inserted or moved")
  }

  private func check(_ condition: Bool, _ problem: @autoclosure () -> String) {
    if !condition { fatalError("Invalid batch update: \(problem())") }
  }
}
