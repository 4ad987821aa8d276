import AsyncViewModels

/// Made-up snapshots, the same ones for the same seed on every machine.
struct RandomShelves {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func snapshot(sections: Int, items: Int) throws -> Shelves {
    let sectionIDs = shuffled((0..<sections).map { "section \($0)" })
    var shelves = sectionIDs.prefix(below(sections + 1)).map { ($0, [Int]()) }
    if !shelves.isEmpty {
      for id in shuffled(Array(0..<items)).prefix(below(items + 1)) {
        shelves[below(shelves.count)].1.append(id)
      }
    }
    return try Shelves(shelves, contents: contents(below: items))
  }

  /// A few changes to a snapshot, of every kind.
  mutating func variation(of snapshot: Shelves, changes: Int) throws -> Shelves {
    var shelves = snapshot.sections.map { ($0.id, $0.items.map(\.id)) }
    var contents = Dictionary(uniqueKeysWithValues: snapshot.items.map { ($0.id, $0.content) })
    for change in 0..<changes where !shelves.isEmpty {
      let section = below(shelves.count)
      let count = shelves[section].1.count
      let fresh = snapshot.itemCount + 1_000 + change
      switch below(8) {
      case 0: shelves[section].1.insert(fresh, at: below(count + 1))
      case 1 where count > 0: shelves[section].1.remove(at: below(count))
      case 2 where count > 0:
        let item = shelves[section].1.remove(at: below(count))
        shelves[section].1.insert(item, at: below(count))
      case 3 where count > 0:
        let item = shelves[section].1.remove(at: below(count))
        let target = below(shelves.count)
        shelves[target].1.insert(item, at: below(shelves[target].1.count + 1))
      case 4 where count > 0: contents[shelves[section].1[below(count)], default: ""] += "!"
      case 5: shelves.insert(shelves.remove(at: section), at: below(shelves.count + 1))
      case 6 where below(4) == 0: shelves.remove(at: section)
      case 7 where below(4) == 0:
        let moved = shelves[section].1.suffix(below(count + 1))
        shelves[section].1.removeLast(moved.count)
        shelves.insert(("fresh \(fresh)", moved + [fresh]), at: below(shelves.count + 1))
      default: break
      }
    }
    return try Shelves(shelves, contents: contents)
  }

  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for index in elements.indices.dropFirst() { elements.swapAt(index, below(index + 1)) }
    return elements
  }

  mutating func below(_ bound: Int) -> Int { bound == 0 ? 0 : Int(next() % UInt64(bound)) }

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
