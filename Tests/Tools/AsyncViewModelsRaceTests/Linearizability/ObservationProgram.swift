import AsyncViewModelsTesting
import ToolkitTestSupport

@testable import AsyncViewModels

/// The calls that each party of one history makes, generated from a seed.
///
/// The program is small, so that few orders can explain its answers.
struct ObservationProgram: Sendable {
  /// The call that creates observer 0 before the parties start. All parties share this observer.
  let shared: ObservationCall
  /// The calls of the parties that never wait.
  private(set) var callers: [[ObservationCall]]
  /// The calls of the parties that read and may wait. The subject finishes when the callers have ended.
  private(set) var readers: [[ObservationCall]]

  /// - Parameter calls: Functions that create the calls of a caller, each from a number that no other call
  ///   has.
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
