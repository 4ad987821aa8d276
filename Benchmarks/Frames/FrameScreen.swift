import AsyncViewModels
import AsyncViewModelsBenchmarkHarness

/// A screen that counts its renders, the hitches that they cause, and the time from a tap to the render that shows it.
@MainActor
final class FrameScreen {
  private(set) var renders = 0
  /// The largest number of renders that began in one frame.
  private(set) var mostRendersInAFrame = 0
  private(set) var latencies: [Duration] = []
  private(set) var hitches: HitchMeter
  let framesPerSecond: Int
  private let renderTime: Duration?
  /// The frames in which the renders are counted.
  private var frames: FrameSchedule
  private var lastFrame = -1
  private var rendersInFrame = 0
  /// When the measurement ends, and what happens then.
  private var end: (time: ContinuousClock.Instant, action: (ContinuousClock.Instant) -> Void)?
  private var waiting: [(tap: Int, time: ContinuousClock.Instant)] = []
  private var lastTap = 0

  /// - Parameters:
  ///   - rate: The number of frames in a second. The first frame begins now.
  ///   - renderTime: How long each render takes, or `nil` for a cheap one, which makes 200 additions.
  init(framesPerSecond rate: Int, renderTime: Duration? = nil) {
    frames = FrameSchedule(start: .now, frame: .seconds(1) / rate)
    (framesPerSecond, self.renderTime, hitches) = (rate, renderTime, HitchMeter(frames, from: frames.start))
  }

  /// Returns a pacing, and counts the renders in its frames from now on.
  func makePacing() -> FramePacing {
    let pacing = FramePacing.frames(perSecond: framesPerSecond)
    // After the pacing has begun its first frame: a value at the very end of one of its frames then never counts for the next one.
    frames = FrameSchedule(start: .now, frame: frames.frame)
    return pacing
  }

  /// Renders a state. Does nothing after the end of a measurement.
  func render(_ state: PriceState) {
    let beginning = ContinuousClock.now
    endIfDue(at: beginning)
    guard end != nil else { return }
    count(at: beginning)
    draw(state, from: beginning)
    let finish = ContinuousClock.now
    hitches.count(workOf: hitches.frames.number(at: beginning), until: finish)
    guard let first = waiting.first, first.tap <= state.tap else { return }
    latencies += waiting.prefix { $0.tap <= state.tap }.map { $0.time.duration(to: finish) }
    waiting.removeAll { $0.tap <= state.tap }
  }

  private func draw(_ state: PriceState, from beginning: ContinuousClock.Instant) {
    var sum = state.price
    repeat {
      for number in 0..<200 {
        sum &+= number
        blackHole(sum)
      }
    } while renderTime.map { ContinuousClock.now < beginning.advanced(by: $0) } ?? false
  }

  private func count(at now: ContinuousClock.Instant) {
    renders += 1
    let frame = frames.number(at: now)
    rendersInFrame = frame == lastFrame ? rendersInFrame + 1 : 1
    lastFrame = frame
    mostRendersInAFrame = max(mostRendersInAFrame, rendersInFrame)
  }

  /// Notes a tap, and returns its number.
  ///
  /// - Parameter time: When the user tapped. If the main thread was busy, that was earlier than now.
  func tap(at time: ContinuousClock.Instant) -> Int {
    lastTap += 1
    waiting.append((lastTap, time))
    return lastTap
  }

  /// Counts the beginning of a frame of the display, which is work of its frame.
  func count(beginningOf frame: Int, at now: ContinuousClock.Instant) {
    hitches.count(workOf: frame, until: now)
  }

  /// Begins a measurement, which forgets the results and the taps so far.
  ///
  /// - Parameter action: Takes the results, at the first work after the end of the measurement.
  func measure(for duration: Duration, then action: @escaping (ContinuousClock.Instant) -> Void) {
    let now = ContinuousClock.now
    (renders, mostRendersInAFrame, latencies, waiting) = (0, 0, [], [])
    hitches = HitchMeter(hitches.frames, from: now)
    end = (now.advanced(by: duration), action)
  }

  /// Ends the measurement if its time is over.
  ///
  /// A screen with too much work has a queue of renders that only grows, and in which no frame begins. So each render calls this.
  func endIfDue(at now: ContinuousClock.Instant) {
    guard let end, end.time <= now else { return }
    self.end = nil
    end.action(now)
  }
}
