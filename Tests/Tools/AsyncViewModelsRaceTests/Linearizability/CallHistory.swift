/// The calls that several parties made to one object concurrently.
struct CallHistory<Specification: SequentialSpecification>: Sendable {
  /// A call of this history.
  typealias Recorded = RecordedCall<Specification.Operation, Specification.Response>

  /// The calls in the order in which they began.
  let calls: [Recorded]

  /// Creates a history from its calls, in any order.
  init(_ calls: [Recorded]) {
    self.calls = calls.sorted { $0.begin < $1.begin }
  }

  /// Returns an order of the calls in which a single caller would have received the same responses,
  /// or nil if there is none.
  ///
  /// In that order, a call follows every call that had ended before it began. If there is no such
  /// order, the object is not linearizable.
  ///
  /// The algorithm is that of J. M. Wing and C. Gong, "Testing and Verifying Concurrent Objects"
  /// (1993). A call can come first if it began before any other call had ended. The search tries
  /// each such call and continues with the rest. As in G. Lowe, "Testing for linearizability"
  /// (2017), the search continues from a set of calls only once for each state to which these calls
  /// lead.
  ///
  /// - Complexity: Exponential in the number of calls that overlap. If no calls overlap, linear in
  ///   the number of calls.
  func linearization(from initial: Specification) -> [Recorded]? {
    var search = Search(calls: calls)
    return search.run(from: initial) ? search.order.map { calls[$0] } : nil
  }

  private struct Search {
    private struct Configuration: Hashable {
      let taken: Set<Int>
      let firstLeft: Int
      let state: Specification
    }

    let calls: [Recorded]
    var order: [Int] = []
    /// All calls before this one are taken.
    private var firstLeft = 0
    /// The calls after `firstLeft` that are taken.
    private var taken: Set<Int> = []
    private var tried: Set<Configuration> = []

    init(calls: [Recorded]) { self.calls = calls }

    mutating func run(from state: Specification) -> Bool {
      if order.count == calls.count { return true }
      var firstEnd = Int.max
      for index in calls.indices[firstLeft...] where !taken.contains(index) {
        // The calls are sorted by `begin`. So this call and all later ones began after a remaining
        // call had ended, and none of them can come first.
        if calls[index].begin > firstEnd { return false }
        firstEnd = min(firstEnd, calls[index].end)
        if take(index, from: state) { return true }
      }
      return false
    }

    private mutating func take(_ index: Int, from state: Specification) -> Bool {
      var next = state
      guard next.admits(calls[index].operation, calls[index].response) else { return false }
      let before = (taken, firstLeft)
      taken.insert(index)
      while taken.remove(firstLeft) != nil { firstLeft += 1 }
      let configuration = Configuration(taken: taken, firstLeft: firstLeft, state: next)
      if tried.insert(configuration).inserted {
        order.append(index)
        if run(from: next) { return true }
        order.removeLast()
      }
      (taken, firstLeft) = before
      return false
    }
  }
}

extension CallHistory: CustomStringConvertible {
  var description: String { calls.map(\.description).joined(separator: "\n") }
}
