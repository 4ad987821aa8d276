/// The calls that several parties made to one object concurrently.
struct History<Specification: SequentialSpecification>: Sendable {
  typealias Recorded = Call<Specification.Operation, Specification.Answer>

  /// The calls in the order in which they began.
  let calls: [Recorded]

  /// - Precondition: There are at most 64 calls, so that a set of them fits in one word.
  init(_ calls: [Recorded]) {
    precondition(calls.count <= 64, "a history has at most 64 calls, but this one has \(calls.count)")
    self.calls = calls.sorted { $0.begin < $1.begin }
  }

  /// Returns an order of the calls in which a single caller would have received the same answers.
  ///
  /// In that order, a call follows every call that had ended before it began. Returns nil if there is no such
  /// order: then the object is not linearizable.
  ///
  /// The algorithm is that of J. M. Wing and C. Gong, "Testing and Verifying Concurrent Objects" (1993). A
  /// call can come first if it began before any other call had ended. The search tries each such call and
  /// continues with the rest. As in G. Lowe, "Testing for linearizability" (2017), the search continues from
  /// a set of calls only once for each state to which these calls lead.
  func linearization(from initial: Specification) -> [Recorded]? {
    var search = Search(calls: calls)
    return search.run(from: initial) ? search.order.map { calls[$0] } : nil
  }

  private struct Search {
    private struct Configuration: Hashable {
      let taken: UInt64
      let state: Specification
    }

    let calls: [Recorded]
    var order: [Int] = []
    private var taken: UInt64 = 0
    private var tried: Set<Configuration> = []

    init(calls: [Recorded]) { self.calls = calls }

    mutating func run(from state: Specification) -> Bool {
      if order.count == calls.count { return true }
      var firstEnd = Int.max
      for (index, call) in calls.enumerated() where taken & (1 << UInt64(index)) == 0 {
        // The calls are sorted by `begin`. So this call and all later ones began after a remaining call had
        // ended, and none of them can come first.
        if call.begin > firstEnd { return false }
        firstEnd = min(firstEnd, call.end)
        if take(index, from: state) { return true }
      }
      return false
    }

    private mutating func take(_ index: Int, from state: Specification) -> Bool {
      var next = state
      guard next.admits(calls[index].operation, calls[index].answer) else { return false }
      let bit: UInt64 = 1 << UInt64(index)
      guard tried.insert(Configuration(taken: taken | bit, state: next)).inserted else { return false }
      taken |= bit
      order.append(index)
      if run(from: next) { return true }
      order.removeLast()
      taken &= ~bit
      return false
    }
  }
}

extension History: CustomStringConvertible {
  var description: String { calls.map(\.description).joined(separator: "\n") }
}
