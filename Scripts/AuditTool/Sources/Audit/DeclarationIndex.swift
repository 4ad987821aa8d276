/// Declarations by name. What a written name means depends on the code around it: `State` in `Cart`
/// is `Cart.State`, and in another type it is not.
struct DeclarationIndex<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    /// The names of the types around the declaration.
    let outer: [String]
    let file: String
    let value: Value
  }

  private var entries: [String: [Entry]] = [:]

  mutating func add(_ value: Value, at path: [String], file: String) {
    guard let name = path.last else { return }
    entries[name, default: []].append(Entry(outer: path.dropLast(), file: file, value: value))
  }

  /// The declaration that a name means within the types of `scope`. Of several in one place, which
  /// modules can have, the one in the nearest file.
  func find(_ written: [String], in scope: [String], file: String) -> Value? {
    guard let name = written.last, let all = entries[name] else { return nil }
    let lead = written.dropLast()
    let visible = all.filter { entry in
      entry.outer.suffix(lead.count).elementsEqual(lead) && entry.outer.count >= lead.count
        && scope.starts(with: entry.outer.dropLast(lead.count))
    }
    if let depth = visible.map(\.outer.count).max() {
      let innermost = visible.filter { $0.outer.count == depth }
      return innermost.count == 1
        ? innermost[0].value
        : innermost.max { nearness($0.file, file) < nearness($1.file, file) }?.value
    }
    // `Module.Cart.State`
    return lead.isEmpty ? nil : find(Array(written.dropFirst()), in: [], file: file)
  }

  /// The outermost declaration of each name, the first of several.
  var outermost: [String: Value] {
    entries.compactMapValues { $0.min { $0.outer.count < $1.outer.count }?.value }
  }

  /// How many declarations have a name.
  func count(of name: String) -> Int { entries[name]?.count ?? 0 }

  /// How many folders two files share. A file is nearest to itself.
  private func nearness(_ left: String, _ right: String) -> Int {
    if left == right { return .max }
    return zip(left.split(separator: "/"), right.split(separator: "/")).prefix { $0 == $1 }.count
  }
}

/// The parts of a written type: `Cart` and `State` for `Cart.State<Item>?`.
func typeParts(_ written: String) -> [String] {
  written.prefix { $0 != "<" && $0 != "?" && $0 != "!" }.split(separator: ".").map(String.init)
}
