import Foundation
import Synchronization

/// Stores the first failed expectation of callbacks, because a callback cannot throw. A program calls
/// ``check()`` at its end.
final class Findings: Sendable {
  private let first = Mutex<Unexpected?>(nil)

  func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    let unexpected = Unexpected(description: message())
    first.withLock { if $0 == nil { $0 = unexpected } }
  }

  /// - Throws: The first failed expectation.
  func check() throws(Unexpected) {
    if let unexpected = first.withLock({ $0 }) { throw unexpected }
  }
}

struct Sent: Sendable {
  let sender: Int
  let number: Int
}

/// Expects 1, 2, 3 … from each sender in this order, and one call at a time.
final class OrderedCalls: Sendable {
  let calls = Tally()
  let findings: Findings
  private let inside = Tally()
  private let seen: Mutex<[Int]>

  init(senders: Int, _ findings: Findings) {
    seen = Mutex(Array(repeating: 0, count: senders))
    self.findings = findings
  }

  func note(_ sent: Sent) {
    findings.expect(inside.add() == 1, "two calls ran at the same time")
    seen.withLock { seen in
      let expected = seen[sent.sender] + 1
      findings.expect(
        sent.number == expected, "sender \(sent.sender): received \(sent.number) instead of \(expected)")
      seen[sent.sender] = sent.number
    }
    // Some calls take longer, which gives an overlapping call the time to start.
    if calls.value % 128 == 0 { Thread.sleep(forTimeInterval: 0.000_02) }
    inside.add(-1)
    calls.add()
  }
}
