/// A stretch of a new sequence whose elements stand in the old one side by side, in the same order.
@usableFromInline
struct ListSnapshotRun {
  /// Where it begins in the old sequence.
  @usableFromInline let old: Int
  /// Where it begins in the new sequence.
  @usableFromInline let new: Int
  @usableFromInline let count: Int
  /// Whether it comes from another section: then it moves in any case.
  @usableFromInline let isForeign: Bool
  /// Whether the others move around it.
  @usableFromInline var stays = false

  @inlinable
  init(old: Int, new: Int, count: Int, isForeign: Bool = false) {
    self.old = old
    self.new = new
    self.count = count
    self.isForeign = isForeign
  }
}

extension [ListSnapshotRun] {
  /// Marks those that stay, so that as few elements as possible have to move. The runs are in the order of the new sequence.
  ///
  /// Those that stay keep their order in the old sequence: of all increasing subsequences, the one with the most elements. Because no
  /// longest increasing subsequence of the elements gains anything by splitting a run, the runs alone decide. (The heaviest increasing
  /// subsequence after Jacobson and Vo, "Heaviest increasing/common subsequence problems", 1992, on a binary indexed tree of prefix
  /// maxima.)
  ///
  /// Cost: O(runs) where nothing moves, else O(runs · log(runs)).
  @usableFromInline
  mutating func markThoseThatStay() {
    let candidates = indices.filter { !self[$0].isForeign }
    guard !candidates.isIncreasing(by: { self[$0].old }) else {
      for index in candidates { self[index].stays = true }
      return
    }
    let byOld = candidates.sorted { self[$0].old < self[$1].old }
    var rank = [Int](repeating: 0, count: count)
    for (position, index) in byOld.enumerated() { rank[index] = position + 1 }

    var tree = PrefixMaxima(count: candidates.count)
    var before = [Int?](repeating: nil, count: count)
    for index in candidates {
      let best = tree.best(before: rank[index])
      before[index] = best?.element
      tree.insert(index, weight: (best?.weight ?? 0) + self[index].count, at: rank[index])
    }
    var next = tree.best(before: candidates.count + 1)?.element
    while let index = next {
      self[index].stays = true
      next = before[index]
    }
  }
}

extension [Int] {
  fileprivate func isIncreasing(by key: (Int) -> Int) -> Bool {
    zip(self, dropFirst()).allSatisfy { key($0) < key($1) }
  }
}

/// The heaviest element among those of lower rank, in O(log(count)): a binary indexed tree (Fenwick, 1994) of maxima.
private struct PrefixMaxima {
  private var nodes: [(element: Int, weight: Int)?]

  init(count: Int) { nodes = Array(repeating: nil, count: count + 1) }

  func best(before rank: Int) -> (element: Int, weight: Int)? {
    var best: (element: Int, weight: Int)?
    var node = rank - 1
    while node > 0 {
      if let candidate = nodes[node], candidate.weight > best?.weight ?? 0 { best = candidate }
      node &= node - 1
    }
    return best
  }

  mutating func insert(_ element: Int, weight: Int, at rank: Int) {
    var node = rank
    while node < nodes.count {
      if weight > nodes[node]?.weight ?? 0 { nodes[node] = (element, weight) }
      node += node & -node
    }
  }
}
