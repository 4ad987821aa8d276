/// The calls that several parties made to one object at the same time.
struct History<Specification: SequentialSpecification>: Sendable {
  typealias Recorded = Call<Specification.Operation, Specification.Answer>

  /// In the order in which they began.
  let calls: [Recorded]

  /// - Precondition: at most 64 calls, so that a set of them is one word.
  init(_ calls: [Recorded]) {
    precondition(calls.count <= 64, "a history of \(calls.count) calls: at most 64")
    self.calls = calls.sorted { $0.begin < $1.begin }
  }

  /// An order of the calls that one party alone could have made with the same answers, and in which no call comes before one that
  /// had ended when it began. Nil where there is none: the object is not linearisable.
  ///
  /// The search is that of J. M. Wing and C. Gong, "Testing and Verifying Concurrent Objects" (1993): any call that began before
  /// all others had ended may come first; try each, and go on with the rest. With G. Lowe's addition, "Testing for
  /// linearizability" (2017): the same calls taken with the same state as their result need to be tried once only.
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
        // The calls are sorted: this one and all after it began when another had ended.
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
