import Dispatch
import Foundation
import Synchronization

/// A number that any thread counts up.
final class CallCount: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  @discardableResult
  func add(_ more: Int = 1) -> Int { number.add(more, ordering: .sequentiallyConsistent).newValue }
}

/// What callbacks found wrong. They cannot throw, so the program asks at its end.
final class Findings: Sendable {
  private let first = Mutex<Unexpected?>(nil)

  func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    let unexpected = Unexpected(description: message())
    first.withLock { if $0 == nil { $0 = unexpected } }
  }

  /// - Throws: the first finding.
  func check() throws(Unexpected) {
    if let unexpected = first.withLock({ $0 }) { throw unexpected }
  }
}

struct Sent: Sendable {
  let sender: Int
  let number: Int
}

/// Expects 1, 2, 3 … of each sender in this order, and one call after the other.
final class OrderedCalls: Sendable {
  let calls = CallCount()
  let findings: Findings
  private let inside = CallCount()
  private let seen: Mutex<[Int]>

  init(senders: Int, _ findings: Findings) {
    seen = Mutex(Array(repeating: 0, count: senders))
    self.findings = findings
  }

  func note(_ sent: Sent) {
    findings.expect(inside.add() == 1, "two calls at the same time")
    seen.withLock { seen in
      let expected = seen[sent.sender] + 1
      findings.expect(sent.number == expected, "sender \(sent.sender): \(sent.number) came for \(expected)")
      seen[sent.sender] = sent.number
    }
    // A call takes a while now and then: only then is there time for a second one.
    if calls.value % 128 == 0 { Thread.sleep(forTimeInterval: 0.000_02) }
    inside.add(-1)
    calls.add()
  }
}

/// Makes the calls at the same time, in any order, on threads of every kind: a task's, a queue's and plain ones.
func atOnce(_ calls: (@Sendable () -> Void)...) async {
  await withDiscardingTaskGroup { group in
    for (number, call) in calls.shuffled().enumerated() {
      switch number % 3 {
      case 0: group.addTask { call() }
      case 1: group.addTask { await onQueue(.global(), call) }
      default: group.addTask { await onThread(call) }
      }
    }
  }
}

@discardableResult
func onQueue<Answer: Sendable>(
  _ queue: DispatchQueue, _ body: @escaping @Sendable () -> Answer
) async -> Answer {
  await withCheckedContinuation { continuation in
    queue.async { continuation.resume(returning: body()) }
  }
}

func onThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      body()
      continuation.resume()
    }
  }
}
