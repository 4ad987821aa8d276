import AsyncViewModels
import Foundation

/// The figures of one measurement, per second where nothing else is said.
struct FrameFigures: Sendable {
  var mainThread = Duration.zero
  var rendersPerFrame = 0.0
  var mostRendersInAFrame = 0
  var hitchTime = Duration.zero
  var latencies: [Duration] = []

  /// The latency below which `fraction` of the taps lie, or `nil` without taps.
  func latency(_ fraction: Double) -> Duration? {
    let sorted = latencies.sorted()
    return sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(fraction * Double(sorted.count)))]
  }
}

/// The loop of the main thread, which serves the main actor and begins frames at a fixed rate.
@MainActor
struct MainThreadLoop {
  let rate: Int
  let duration: Duration

  /// Runs the loop while a screen observes a state that changes `changes` times a second. Blocks the main thread, as the run
  /// loop of an app does.
  func measure(_ stage: FrameStage, changes: Int) -> FrameFigures {
    let screen = FrameScreen()
    let observation = stage.observe(screen)
    let sender = ChangeSender(perSecond: changes) { observation.change { $0.number += 1 } }
    _ = run(screen, observation, for: min(.milliseconds(300), duration))
    screen.reset()
    let cpu = Self.cpuTime
    let (elapsed, hitchTime, frames) = run(screen, observation, for: duration)
    let mainThread = Self.cpuTime - cpu
    sender.stop()
    observation.token.cancel()
    // The callbacks that still wait keep the main thread from the next measurement.
    _ = run(screen, observation, for: min(.milliseconds(200), duration))
    let seconds = elapsed / .seconds(1)
    return FrameFigures(
      mainThread: mainThread / seconds, rendersPerFrame: frames.mean, mostRendersInAFrame: frames.most,
      hitchTime: hitchTime / seconds, latencies: screen.latencies)
  }

  private func run(
    _ screen: FrameScreen, _ observation: FrameStage.Observation, for duration: Duration
  ) -> (elapsed: Duration, hitchTime: Duration, frames: (mean: Double, most: Int)) {
    let (clock, frame) = (ContinuousClock(), Duration.seconds(1) / rate)
    let start = clock.now
    var (hitchTime, number, most, rendersBefore) = (Duration.zero, 0, 0, screen.renders)
    let rendersAtStart = screen.renders
    while start.duration(to: clock.now) < duration {
      number += 1
      let begin = start.advanced(by: frame * number)
      // A tap in each second frame, at another place in each frame.
      let tap = number % 2 == 0 ? begin.advanced(by: frame * Double(number % 17 - 17) / 17) : nil
      if let tap {
        serve(until: tap)
        let number = screen.tap()
        observation.change { $0.tap = number }
      }
      serve(until: begin)
      // The frame has missed its refresh if its work ends after the beginning of the next frame.
      let lateness = begin.duration(to: clock.now)
      if lateness > frame { hitchTime += lateness - frame }
      most = max(most, screen.renders - rendersBefore)
      rendersBefore = screen.renders
      // Skips the refreshes that were missed.
      number = max(number, Int(start.duration(to: clock.now) / frame))
    }
    let elapsed = start.duration(to: clock.now)
    return (elapsed, hitchTime, (Double(screen.renders - rendersAtStart) / (elapsed / frame), most))
  }

  /// Serves the main queue until `instant`.
  private func serve(until instant: ContinuousClock.Instant) {
    while true {
      let left = ContinuousClock.now.duration(to: instant)
      guard left > .zero else { return }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: left / .seconds(1)))
    }
  }

  /// The CPU time of the calling thread.
  private static var cpuTime: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
