/// The differences of two texts, as `diff -u` writes them.
func unifiedDiff(_ old: String, _ new: String, path: String) -> String {
  let old = lines(old), new = lines(new)
  let difference = new.difference(from: old)
  if difference.isEmpty { return "" }
  var removed: Set<Int> = [], inserted: Set<Int> = []
  for change in difference {
    switch change {
    case .remove(let offset, _, _): removed.insert(offset)
    case .insert(let offset, _, _): inserted.insert(offset)
    }
  }

  struct Line { let mark: Character, text: Substring, old: Int, new: Int }
  var all: [Line] = []
  var i = 0, j = 0
  while i < old.count || j < new.count {
    if removed.contains(i) {
      all.append(Line(mark: "-", text: old[i], old: i, new: j))
      i += 1
    } else if inserted.contains(j) {
      all.append(Line(mark: "+", text: new[j], old: i, new: j))
      j += 1
    } else {
      all.append(Line(mark: " ", text: old[i], old: i, new: j))
      (i, j) = (i + 1, j + 1)
    }
  }

  var text = "--- \(path)\n+++ \(path)\n"
  let context = 3
  var next = 0
  while let first = all[next...].firstIndex(where: { $0.mark != " " }) {
    var end = first
    // Two changes with few lines between them stand in one hunk.
    while let following = all[(end + 1)...].prefix(2 * context + 1).firstIndex(where: { $0.mark != " " }) {
      end = following
    }
    let hunk = all[max(next, first - context)..<min(all.count, end + 1 + context)]
    let oldCount = hunk.count { $0.mark != "+" }, newCount = hunk.count { $0.mark != "-" }
    let start = hunk.first!
    text += "@@ -\(start.old + (oldCount > 0 ? 1 : 0)),\(oldCount)"
    text += " +\(start.new + (newCount > 0 ? 1 : 0)),\(newCount) @@\n"
    for line in hunk {
      text += "\(line.mark)\(line.text)"
      if !line.text.hasSuffix("\n") { text += "\n\\ No newline at end of file\n" }
    }
    next = hunk.endIndex
  }
  return text
}

/// The lines of a text with their ends.
private func lines(_ text: String) -> [Substring] {
  var lines: [Substring] = []
  var rest = text[...]
  while let end = rest.firstIndex(where: \.isNewline) {
    let after = rest.index(after: end)
    lines.append(rest[..<after])
    rest = rest[after...]
  }
  if !rest.isEmpty { lines.append(rest) }
  return lines
}
