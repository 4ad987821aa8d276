import AsyncViewModels

/// A snapshot with reference-counted ids and contents. Threads that share a snapshot change the same
/// reference counts.
typealias TestSnapshot = ListSnapshot<String, String, CellContent>

/// The content of a cell.
final class CellContent: Identifiable, Equatable, Sendable {
  let id: String
  let text: String

  init(_ id: String, _ text: String) {
    self.id = id
    self.text = text
  }

  static func == (left: CellContent, right: CellContent) -> Bool {
    left.id == right.id && left.text == right.text
  }
}

extension ListSnapshot {
  typealias Difference = ListSnapshotDifference<SectionID, ItemID, Content>
}

extension TestSnapshot {
  /// Returns a snapshot that has many sections and items in common with this one. The sections may be in
  /// another order, and items are moved, deleted, inserted and changed.
  func changed(_ random: inout SplitMix) throws -> TestSnapshot {
    var sections = sections.map { ($0.id, $0.items) }
    if Bool.random(using: &random) { sections.shuffle(using: &random) }
    if sections.count > 4 { sections.remove(at: .random(in: sections.indices, using: &random)) }
    sections.append(("the section \(random.next())", []))
    var items = sections.flatMap(\.1)
    if Int.random(in: 0..<4, using: &random) == 0 { items.shuffle(using: &random) }
    if items.count > 40 { items.removeFirst(10) }
    for _ in 0..<5 {
      let id = "the item \(random.next())"
      items.insert(Item(CellContent(id, "new")), at: .random(in: 0...items.count, using: &random))
    }
    for index in items.indices where Int.random(in: 0..<8, using: &random) == 0 {
      let id = items[index].id
      items[index] = Item(id: id, content: CellContent(id, "changed by \(random.next())"))
    }
    return try TestSnapshot(Self.divided(items, among: sections.map(\.0), &random))
  }

  private static func divided(_ items: [Item], among ids: [String], _ random: inout SplitMix) -> [Section] {
    var rest = items[...]
    return ids.indices.map { index in
      let count = index == ids.indices.last ? rest.count : Int.random(in: 0...rest.count, using: &random)
      defer { rest = rest.dropFirst(count) }
      return count == 0 ? Section(id: ids[index]) : Section(id: ids[index], items: Array(rest.prefix(count)))
    }
  }
}
