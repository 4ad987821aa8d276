import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontTesting

extension Probe {
  static let parallelLimit = Probe(
    "parallel limit",
    "64 requests, at most 8 at once: `runConcurrently(limit:)`; in the other stages a queue and a list of "
      + "waiting calls, because the toolkit has no limit for closures",
    on: .parts, wanted: .exactly(8, of: 64, "at once")
  ) { stage in
    let (count, limit) = (64, 8)
    let script = ScriptedCalls<Int, Int>()
    guard stage == .async else {
      let calls = LimitedCalls(script, count: count)
      for _ in 1...limit { calls.startNext() }
      return [try await peak(of: script, count: count, limit: limit)]
    }
    async let run: Void = (1...count).runConcurrently(limit: limit) {
      try await script($0)
    } receive: { _, _ in
    }
    let peak = try await peak(of: script, count: count, limit: limit)
    await run
    return [peak]
  }

  /// Answers all calls, and returns the largest number of calls that were open at once.
  private static func peak(of script: ScriptedCalls<Int, Int>, count: Int, limit: Int) async throws -> Int {
    var (open, peak) = ([ScriptedCall<Int, Int>](), 0)
    for answered in 0..<count {
      while open.count < min(limit, count - answered) { open.append(try await script.next()) }
      peak = max(peak, script.requests.count - answered)
      open.removeFirst().succeed(0)
    }
    return peak
  }
}

/// Limits calls as a programmer would without `await`: the end of each call starts a waiting call.
///
/// `@unchecked Sendable`: `queue` guards the variables.
private final class LimitedCalls: @unchecked Sendable {
  private let queue = DispatchQueue(label: "limit")
  private let script: ScriptedCalls<Int, Int>
  private var waiting: [Int]
  private var tokens: [CancellationToken] = []

  init(_ script: ScriptedCalls<Int, Int>, count: Int) {
    self.script = script
    waiting = Array(1...count)
  }

  func startNext() {
    queue.async { [self] in
      guard let next = waiting.popLast() else { return }
      tokens.append(script(next) { _ in self.startNext() })
    }
  }
}
