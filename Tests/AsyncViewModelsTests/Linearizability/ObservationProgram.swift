import AsyncViewModelsTesting

@testable import AsyncViewModels

/// What the parties of one history do, drawn from a seed. It is small, so that its answers leave little room for an explanation.
struct ObservationProgram: Sendable {
  /// Done before the parties begin: the observer 0, which all of them share.
  let shared: ObservationCall
  /// Parties that never wait.
  private(set) var callers: [[ObservationCall]]
  /// Parties that read, and may wait. The state or channel finishes when the callers have ended.
  private(set) var readers: [[ObservationCall]]

  /// - Parameter calls: what a caller may do with a number that nobody else sends.
  init(seed: UInt64, bufferings: [BufferingPolicy], calls: [@Sendable (Int) -> ObservationCall]) {
    var random = SplitMix64(seed: seed)
    shared = .observe(0, random.pick(bufferings))
    callers = (1...2).map { party in
      (1...random.next(in: 2...4)).map { random.pick(calls)(party * 10 + $0) }
    }
    readers = (3...random.next(in: 3...4)).map { party in
      let own = ObservationCall.observe(party, random.pick(bufferings))
      return [own]
        + (1...random.next(in: 1...3)).map { _ in
          random.pick([.poll(party), .poll(party), .next(party), .next(0), .poll(0)])
        }
    }
    if random.next(in: 0...3) == 0 { callers[0].append(.finish) }
    if random.next(in: 0...3) == 0 { callers[1].append(.leave(0)) }
    if random.next(in: 0...3) == 0 { callers[1].insert(.poll(0), at: 1) }
  }
}
