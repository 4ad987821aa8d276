import AsyncViewModels
import Dispatch
import Foundation

/// The figures of one measurement.
struct FrameFigures: Codable, Sendable {
  /// The CPU time of the main thread in each second.
  let mainThread: Duration
  /// The CPU time of all threads in each second.
  let allThreads: Duration
  let rendersPerFrame: Double
  let mostRendersInAFrame: Int
  /// The time in each second by which frames are late.
  let hitchTime: Duration
  /// The times from a tap to the render that shows it.
  let latencies: [Duration]

  /// The latency below which `fraction` of the taps lie, or `nil` if there are too few taps: fewer than one would lie above it.
  func latency(_ fraction: Double) -> Duration? {
    let sorted = latencies.sorted()
    guard Double(sorted.count) * (1 - fraction) >= 0.999 else { return nil }
    return sorted[min(sorted.count - 1, Int(fraction * Double(sorted.count)))]
  }
}

/// The loop of the main thread, which serves the main actor and begins frames at a fixed rate.
///
/// A timer on the main queue begins the frames, as a display link does. The thread waits in its run loop between the blocks of the
/// main queue.
@MainActor
final class MainThreadLoop {
  private let rate: Int
  private let duration: Duration
  private let renderTime: Duration?

  /// - Parameter renderTime: How long each render takes, or `nil` for a cheap one.
  init(rate: Int, duration: Duration, renderTime: Duration?) {
    (self.rate, self.duration, self.renderTime) = (rate, duration, renderTime)
  }

  /// Runs the loop while a screen observes a view model that receives `prices` prices a second. Blocks the main thread, as
  /// the run loop of an app does.
  ///
  /// - Precondition: The caller is the main thread, outside the blocks of the main queue.
  func measure(_ stage: FrameStage, pricesPerSecond prices: Int) -> FrameFigures {
    let screen = FrameScreen(framesPerSecond: rate, renderTime: renderTime)
    let running = stage.start(screen, PriceFeed(pricesPerSecond: prices))
    _ = run(screen, running, for: min(.milliseconds(300), duration / 4))
    let figures = run(screen, running, for: duration)
    for token in running.tokens { token.cancel() }
    return figures
  }

  /// Serves the main queue for `duration`: the callbacks that still wait would delay the next measurement.
  func rest(for duration: Duration) {
    RunLoop.main.run(until: Date(timeIntervalSinceNow: duration / .seconds(1)))
  }

  private func run(
    _ screen: FrameScreen, _ running: FrameStage.Running, for duration: Duration
  ) -> FrameFigures {
    let frames = Frames(of: screen) { running.tap(screen.tap(at: $0)) }
    let before = (now: ContinuousClock.now, main: Self.mainThread, all: Self.allThreads)
    var figures: FrameFigures?
    screen.measure(for: duration) { now in
      let seconds = before.now.duration(to: now) / .seconds(1)
      frames.end(at: now)
      figures = FrameFigures(
        mainThread: (Self.mainThread - before.main) / seconds,
        allThreads: (Self.allThreads - before.all) / seconds,
        rendersPerFrame: Double(screen.renders) / (seconds * Double(self.rate)),
        mostRendersInAFrame: screen.mostRendersInAFrame, hitchTime: screen.hitches.time / seconds,
        latencies: screen.latencies)
    }
    // Without a limit of time: setting one up in each turn would cost more than a frame.
    while true {
      if let figures { return figures }
      _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    }
  }

  private static var mainThread: Duration { time(CLOCK_THREAD_CPUTIME_ID) }
  private static var allThreads: Duration { time(CLOCK_PROCESS_CPUTIME_ID) }

  private static func time(_ clock: clockid_t) -> Duration {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

/// The frames of a display, with a tap in each second frame, from their creation to their end.
@MainActor
private final class Frames {
  private let screen: FrameScreen
  private let schedule: FrameSchedule
  private let tap: (ContinuousClock.Instant) -> Void
  private let timer = DispatchSource.makeTimerSource(flags: .strict, queue: .main)
  /// The number of the next frame.
  private var number: Int
  private var tapsNext = false

  init(of screen: FrameScreen, tap: @escaping (ContinuousClock.Instant) -> Void) {
    (self.screen, schedule, self.tap) = (screen, screen.hitches.frames, tap)
    number = schedule.number(at: .now) + 1
    timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.step() } }
    setTimer()
    timer.resume()
  }

  /// Ends the frames. A frame that waits for its beginning is late.
  func end(at now: ContinuousClock.Instant) {
    timer.cancel()
    screen.count(beginningOf: number, at: now)
  }

  /// Taps before each second frame, at another place in each frame.
  private var tapTime: ContinuousClock.Instant {
    schedule.beginning(of: number).advanced(by: schedule.frame * Double(number % 17 - 17) / 17)
  }

  private func setTimer() {
    let left = ContinuousClock.now.duration(to: tapsNext ? tapTime : schedule.beginning(of: number))
    timer.schedule(deadline: .now() + max(0, left / .seconds(1)), leeway: .nanoseconds(0))
  }

  private func step() {
    if tapsNext {
      tap(tapTime)
      tapsNext = false
    } else {
      begin()
    }
    // Has no effect after the end of the frames.
    setTimer()
  }

  private func begin() {
    let now = ContinuousClock.now
    let begun = number
    // Skips the frames that were missed.
    number = max(number, schedule.number(at: now)) + 1
    tapsNext = number.isMultiple(of: 2)
    screen.count(beginningOf: begun, at: now)
    screen.endIfDue(at: now)
  }
}
