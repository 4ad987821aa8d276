import AsyncViewModels
import ListSnapshots

/// A snapshot that a test creates from section names and item ids.
typealias TestSnapshot = ListSnapshot<String, Int, String>

extension TestSnapshot {
  init(_ sections: [(String, [Int])], contents: [Int: String] = [:]) throws {
    try self.init(
      sections.map { id, items in
        Section(id: id, items: items.map { Item(id: $0, content: contents[$0, default: ""]) })
      })
  }
}
