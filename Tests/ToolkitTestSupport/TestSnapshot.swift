package import ListSnapshots

/// A snapshot that a test creates from section names and item ids.
package typealias TestSnapshot = ListSnapshot<String, Int, String>

extension TestSnapshot {
  package init(_ sections: [(String, [Int])], contents: [Int: String] = [:]) throws {
    try self.init(
      sections.map { id, items in
        Section(id: id, items: items.map { Item(id: $0, content: contents[$0, default: ""]) })
      })
  }
}
