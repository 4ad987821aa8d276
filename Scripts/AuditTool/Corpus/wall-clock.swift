//// hazard: elapsed time from two dates
import Foundation

func measure(_ name: String, _ work: () -> Void) {
  let start = Date()
  work()
  let elapsed = Date().timeIntervalSince(start)  // ← here
  print("\(name) took \(elapsed) s")
}

//// hazard: start date as a property of a player
import Foundation

final class WorkoutSession {
  private var startedAt: Date?

  func begin() { startedAt = Date() }

  func duration() -> TimeInterval {
    guard let startedAt else { return 0 }
    return -startedAt.timeIntervalSinceNow  // ← here
  }
}

//// hazard: request duration with CFAbsoluteTimeGetCurrent
import Foundation

final class LoggingClient {
  let inner: HTTPClient
  init(inner: HTTPClient) { self.inner = inner }

  func send(_ request: URLRequest) async throws -> Data {
    let t0 = CFAbsoluteTimeGetCurrent()
    let data = try await inner.send(request)
    print("duration:", CFAbsoluteTimeGetCurrent() - t0)  // ← here
    return data
  }
}

//// hazard: deadline of a retry loop
import Foundation

struct Poller {
  let status: () async -> Bool

  func waitUntilReady(timeout: TimeInterval) async throws {
    let deadline = Date().addingTimeInterval(timeout)
    while Date() < deadline {  // ← here
      if await status() { return }
      try await Task.sleep(nanoseconds: 100_000_000)
    }
    throw PollError.timeout
  }
}

//// hazard: throttle compares dates
import Foundation

@MainActor
final class ScrollReporter {
  private var last = Date.distantPast
  var send: (Double) -> Void = { _ in }

  func scrolled(to offset: Double) {
    let now = Date.now
    if now.timeIntervalSince(last) > 0.25 {  // ← here
      last = now
      send(offset)
    }
  }
}

//// hazard: frame time from epoch seconds
import UIKit

final class FrameMeter {
  private var previous: TimeInterval = 0

  func frame() -> Double {
    let current = Date().timeIntervalSince1970
    defer { previous = current }
    return current - previous  // ← here
  }
}

//// harmless: continuous clock measures
import Foundation

func measure(_ name: String, _ work: () -> Void) {
  let clock = ContinuousClock()
  let elapsed = clock.measure(work)
  print("\(name) took \(elapsed)")
}

//// harmless: date of a comment is shown
import Foundation

struct CommentRow {
  let comment: Comment

  var age: String {
    RelativeDateTimeFormatter().localizedString(for: comment.createdAt, relativeTo: Date())
  }
}

//// harmless: age of a stored record
import Foundation

struct CachePolicy {
  let maximumAge: TimeInterval

  func isFresh(_ record: CacheRecord, now: Date = Date()) -> Bool {
    now.timeIntervalSince(record.savedAt) < maximumAge
  }
}

//// harmless: monotonic system uptime
import Foundation

final class FrameMeter {
  private var previous = ProcessInfo.processInfo.systemUptime

  func frame() -> Double {
    let current = ProcessInfo.processInfo.systemUptime
    defer { previous = current }
    return current - previous
  }
}

//// harmless: dispatch time of a deadline
import Foundation

final class Watch {
  private var begin = DispatchTime.now()

  func start() { begin = .now() }
  func nanoseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds }
}

//// harmless: a date is stamped on an event
import Foundation

struct AnalyticsEvent {
  let name: String
  let date: Date
}

final class Analytics {
  private(set) var events: [AnalyticsEvent] = []

  @MainActor func log(_ name: String) {
    events.append(AnalyticsEvent(name: name, date: Date()))
  }
}
