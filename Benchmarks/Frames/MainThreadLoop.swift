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

  /// The latency below which `fraction` of the taps lie, or `nil` without taps.
  func latency(_ fraction: Double) -> Duration? {
    let sorted = latencies.sorted()
    return sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(fraction * Double(sorted.count)))]
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

  init(rate: Int, duration: Duration) { (self.rate, self.duration) = (rate, duration) }

  /// Runs the loop while a screen observes a view model that receives `prices` prices a second. Blocks the main thread, as
  /// the run loop of an app does.
  ///
  /// - Precondition: The caller is the main thread, outside the blocks of the main queue.
  func measure(_ stage: FrameStage, pricesPerSecond prices: Int) -> FrameFigures {
    let screen = FrameScreen(framesPerSecond: rate)
    let running = stage.start(screen, PriceFeed(pricesPerSecond: prices))
    _ = run(screen, running, for: min(.milliseconds(300), duration / 4))
    screen.reset()
    let before = (main: Self.time(CLOCK_THREAD_CPUTIME_ID), all: Self.time(CLOCK_PROCESS_CPUTIME_ID))
    let frames = run(screen, running, for: duration)
    let (main, all) = (Self.time(CLOCK_THREAD_CPUTIME_ID), Self.time(CLOCK_PROCESS_CPUTIME_ID))
    for token in running.tokens { token.cancel() }
    let seconds = frames.elapsed / .seconds(1)
    return FrameFigures(
      mainThread: (main - before.main) / seconds, allThreads: (all - before.all) / seconds,
      rendersPerFrame: Double(screen.renders) / (seconds * Double(rate)),
      mostRendersInAFrame: screen.mostRendersInAFrame, hitchTime: frames.hitchTime / seconds,
      latencies: screen.latencies)
  }

  /// Serves the main queue for `duration`: the callbacks that still wait would delay the next measurement.
  func rest(for duration: Duration) {
    RunLoop.main.run(until: Date(timeIntervalSinceNow: duration / .seconds(1)))
  }

  private func run(_ screen: FrameScreen, _ running: FrameStage.Running, for duration: Duration) -> Frames {
    let frames = Frames(rate: rate, duration: duration) { running.tap(screen.tap()) }
    // Without a limit of time: setting one up in each turn would cost more than a frame.
    while !frames.areOver { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    return frames
  }

  private static func time(_ clock: clockid_t) -> Duration {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

/// The frames of one run of the loop, with a tap in each second frame.
@MainActor
private final class Frames {
  private(set) var areOver = false
  private(set) var elapsed = Duration.zero
  private(set) var hitchTime = Duration.zero
  private let frame: Duration
  private let duration: Duration
  private let tap: () -> Void
  private let start = ContinuousClock.now
  private let timer = DispatchSource.makeTimerSource(flags: .strict, queue: .main)
  /// The number of the next frame.
  private var number = 1
  private var tapsNext = false

  /// Begins the first frame after the length of a frame.
  init(rate: Int, duration: Duration, tap: @escaping () -> Void) {
    (frame, self.duration, self.tap) = (.seconds(1) / rate, duration, tap)
    timer.setEventHandler { [unowned self] in MainActor.assumeIsolated { step() } }
    schedule()
    timer.resume()
  }

  private var beginning: ContinuousClock.Instant { start.advanced(by: frame * number) }

  /// Taps before each second frame, at another place in each frame.
  private var tapTime: ContinuousClock.Instant {
    beginning.advanced(by: frame * Double(number % 17 - 17) / 17)
  }

  private func schedule() {
    let left = ContinuousClock.now.duration(to: tapsNext ? tapTime : beginning)
    timer.schedule(deadline: .now() + max(0, left / .seconds(1)), leeway: .nanoseconds(0))
  }

  private func step() {
    if tapsNext {
      tap()
      tapsNext = false
    } else {
      begin()
    }
    if areOver { timer.cancel() } else { schedule() }
  }

  private func begin() {
    let now = ContinuousClock.now
    // The frame has missed its refresh if its work ends after the beginning of the next frame.
    let lateness = beginning.duration(to: now)
    if lateness > frame { hitchTime += lateness - frame }
    elapsed = start.duration(to: now)
    areOver = elapsed >= duration
    // Skips the refreshes that were missed.
    number = max(number, Int(elapsed / frame)) + 1
    tapsNext = number.isMultiple(of: 2)
  }
}
