import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("Notification streams", .timeLimit(.minutes(5)), .endsWaits)
struct NotificationStreamTests {
  private let center = CountingNotificationCenter()

  @Test("the stream yields the payloads of later notifications in order, and skips missing payloads")
  func order() async {
    let codes = center.codes()
    for code in ["EUR", nil, "SEK", "USD"] { center.post(code: code) }
    center.center.post(name: .another, object: nil, userInfo: ["code": "XXX"])
    var seen: [String] = []
    for await code in codes {
      seen.append(code)
      if seen.count == 3 { break }
    }
    #expect(seen == ["EUR", "SEK", "USD"])
  }

  @Test("a stream for one sender ignores other senders and does not keep its sender alive")
  func sender() async throws {
    let codes = try await LeakTracker.check { tracker in
      let sender = tracker.track(ScreenModel())
      let codes = center.codes(from: sender)
      center.post(code: "XXX")
      center.post(code: "EUR", from: sender)
      #expect(await codes.first { _ in true } == "EUR")
      return codes
    }
    withExtendedLifetime(codes) {}
  }

  @Test("with the policy `.latest`, a slow reader receives only the latest payload")
  func latest() async {
    let codes = center.codes(buffering: .latest)
    for code in ["EUR", "SEK", "USD"] { center.post(code: code) }
    #expect(await codes.first { _ in true } == "USD")
  }

  @Test("a stream makes one registration, which ends when the stream is dropped")
  func dropping() {
    var codes: AsyncStream<String>? = center.codes()
    #expect(center.observerCount == 1)
    withExtendedLifetime(codes) {}
    codes = nil
    #expect(center.observerCount == 0)
    #expect(center.registrationCount == 1)
  }

  @Test("a registration ends when the reading task is cancelled")
  func cancelling() async {
    let codes = center.codes()
    let task = Task { for await _ in codes {} }
    task.cancel()
    await task.value
    await center.waitForLive(0)
  }

  @Test("a view model receives all notifications through one registration, which ends with the view model")
  func viewModel() async throws {
    try await LeakTracker.check { tracker in
      let badge = tracker.track(Badge())
      await badge.follow(center)
      let states = StateRecorder(badge.code.states())
      for code in ["EUR", "SEK"] {
        center.post(code: code)
        try await states.first { $0 == code }
      }
      #expect(center.registrationCount == 1)
      #expect(center.observerCount == 1)
    }
    await center.waitForLive(0)
  }

  @Test("after the stream is released, a post no longer calls the closure that extracts payloads")
  func unregistered() {
    let extracted = Mutex(0)
    var codes: AsyncStream<String>? = center.center.stream(of: .currencyChanged) { _ in
      extracted.withLock { $0 += 1 }
      return ""
    }
    center.post(code: "EUR")
    withExtendedLifetime(codes) {}
    codes = nil
    center.post(code: "SEK")
    #expect(extracted.withLock { $0 } == 1)
  }

  @Test("a hundred short-lived view models leave no registration")
  func soak() async throws {
    for _ in 0..<100 {
      let badge = Badge()
      await badge.follow(center)
      center.post(code: "EUR")
    }
    await center.waitForLive(0)
    #expect(center.registrationCount == 100)
  }
}

/// A view model that shows the currency from the latest notification.
private actor Badge {
  nonisolated let code = StateStore("")
  private var observation: CancellationToken?

  func follow(_ center: CountingNotificationCenter) {
    observation = center.codes().observe(on: self) { badge, code in badge.code.send(code) }
  }
}

extension CountingNotificationCenter {
  fileprivate func codes(
    from object: AnyObject? = nil, buffering: BufferingPolicy = .unbounded
  ) -> AsyncStream<String> {
    stream(of: .currencyChanged, from: object, buffering: buffering) { $0.userInfo?["code"] as? String }
  }

  fileprivate func post(code: String?, from object: AnyObject? = nil) {
    center.post(name: .currencyChanged, object: object, userInfo: code.map { ["code": $0] })
  }
}

extension CountingNotificationCenter {
  /// Waits until `count` registrations are live, or until the suite's time limit cancels the test.
  fileprivate func waitForLive(_ count: Int) async {
    while observerCount != count, !Task.isCancelled { await Task.yield() }
  }
}

extension Notification.Name {
  fileprivate static let currencyChanged = Notification.Name("currencyChanged")
  fileprivate static let another = Notification.Name("another")
}
