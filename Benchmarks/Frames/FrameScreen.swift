import AsyncViewModels
import AsyncViewModelsBenchmarkHarness

/// A screen with a cheap render, which counts its renders and measures the time from a tap to the render that shows it.
@MainActor
final class FrameScreen {
  private(set) var renders = 0
  /// The largest number of renders that began in one frame.
  private(set) var mostRendersInAFrame = 0
  private(set) var latencies: [Duration] = []
  let framesPerSecond: Int
  private let frame: Duration
  private var start = ContinuousClock.now
  private var lastFrame = -1
  private var rendersInFrame = 0
  private var waiting: [(tap: Int, time: ContinuousClock.Instant)] = []
  private var lastTap = 0

  /// - Parameter rate: The number of frames in a second. The first frame begins now.
  init(framesPerSecond rate: Int) { (framesPerSecond, frame) = (rate, .seconds(1) / rate) }

  /// Returns a pacing, and counts the renders in its frames from now on.
  func makePacing() -> FramePacing {
    let pacing = FramePacing.frames(perSecond: framesPerSecond)
    // After the pacing has begun its first frame: a value at the very end of one of its frames then never counts for the next one.
    start = .now
    return pacing
  }

  /// Renders a state. The render makes 200 additions.
  func render(_ state: PriceState) {
    let now = ContinuousClock.now
    count(at: now)
    var sum = state.price
    for number in 0..<200 {
      sum &+= number
      blackHole(sum)
    }
    guard let first = waiting.first, first.tap <= state.tap else { return }
    latencies += waiting.prefix { $0.tap <= state.tap }.map { $0.time.duration(to: now) }
    waiting.removeAll { $0.tap <= state.tap }
  }

  private func count(at now: ContinuousClock.Instant) {
    renders += 1
    let frame = Int(start.duration(to: now) / frame)
    rendersInFrame = frame == lastFrame ? rendersInFrame + 1 : 1
    lastFrame = frame
    mostRendersInAFrame = max(mostRendersInAFrame, rendersInFrame)
  }

  /// Notes the time of a tap, and returns its number.
  func tap() -> Int {
    lastTap += 1
    waiting.append((lastTap, .now))
    return lastTap
  }

  /// Forgets the results so far.
  func reset() { (renders, mostRendersInAFrame, latencies) = (0, 0, []) }
}
