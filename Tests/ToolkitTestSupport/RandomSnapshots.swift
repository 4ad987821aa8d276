import ListSnapshots

/// Creates random snapshots. The same seed creates the same snapshots on every machine.
package struct RandomSnapshots {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func snapshot(sections: Int, items: Int) throws -> TestSnapshot {
    let sectionIDs = shuffled((0..<sections).map { "section \($0)" })
    var groups = sectionIDs.prefix(below(sections + 1)).map { ($0, [Int]()) }
    if !groups.isEmpty {
      for id in shuffled(Array(0..<items)).prefix(below(items + 1)) {
        groups[below(groups.count)].1.append(id)
      }
    }
    return try TestSnapshot(groups, contents: contents(below: items))
  }

  /// Returns a copy of a snapshot with random changes of every kind.
  package mutating func variation(of snapshot: TestSnapshot, changes: Int) throws -> TestSnapshot {
    var groups = snapshot.sections.map { ($0.id, $0.items.map(\.id)) }
    var contents = Dictionary(uniqueKeysWithValues: snapshot.items.map { ($0.id, $0.content) })
    for change in 0..<changes where !groups.isEmpty {
      let section = below(groups.count)
      let count = groups[section].1.count
      let fresh = snapshot.itemCount + 1_000 + change
      switch below(8) {
      case 0: groups[section].1.insert(fresh, at: below(count + 1))
      case 1 where count > 0: groups[section].1.remove(at: below(count))
      case 2 where count > 0:
        let item = groups[section].1.remove(at: below(count))
        groups[section].1.insert(item, at: below(count))
      case 3 where count > 0:
        let item = groups[section].1.remove(at: below(count))
        let target = below(groups.count)
        groups[target].1.insert(item, at: below(groups[target].1.count + 1))
      case 4 where count > 0: contents[groups[section].1[below(count)], default: ""] += "!"
      case 5: groups.insert(groups.remove(at: section), at: below(groups.count + 1))
      case 6 where below(4) == 0: groups.remove(at: section)
      case 7 where below(4) == 0:
        let moved = groups[section].1.suffix(below(count + 1))
        groups[section].1.removeLast(moved.count)
        groups.insert(("fresh \(fresh)", moved + [fresh]), at: below(groups.count + 1))
      default: break
      }
    }
    return try TestSnapshot(groups, contents: contents)
  }

  package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for index in elements.indices.dropFirst() { elements.swapAt(index, below(index + 1)) }
    return elements
  }

  package mutating func below(_ bound: Int) -> Int { bound == 0 ? 0 : Int(next() % UInt64(bound)) }

  private mutating func contents(below count: Int) -> [Int: String] {
    var contents: [Int: String] = [:]
    for id in 0..<count { contents[id] = "content \(below(3))" }
    return contents
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
