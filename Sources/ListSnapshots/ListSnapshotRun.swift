/// A range of a new sequence whose elements are also adjacent, and in the same order, in the old
/// sequence.
@usableFromInline
struct ListSnapshotRun {
  /// The start of the range in the old sequence.
  @usableFromInline let old: Int
  /// The start of the range in the new sequence.
  @usableFromInline let new: Int
  @usableFromInline let count: Int
  /// Whether the range comes from another section. Such a range always moves.
  @usableFromInline let isForeign: Bool
  /// Whether the range does not move. Set by `markStayingRuns()`.
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
  /// Marks the runs that stay, so that as few elements as possible move.
  ///
  /// The runs have to be in the order of the new sequence. Foreign runs never stay.
  ///
  /// The runs that stay are the increasing subsequence (by old position) with the most elements.
  /// Splitting a run never makes a longest increasing subsequence longer, so whole runs are enough.
  /// The algorithm finds a heaviest increasing subsequence, as described by Jacobson and Vo in
  /// "Heaviest increasing/common subsequence problems" (1992). It uses a binary indexed tree of
  /// prefix maxima.
  ///
  /// - Complexity: O(runs) if the runs are already in their old order, otherwise O(runs ·
  ///   log(runs)).
  @usableFromInline
  mutating func markStayingRuns() {
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

/// A binary indexed tree (Fenwick, 1994) of maxima. It finds the heaviest element below a given
/// rank in O(log(count)).
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
