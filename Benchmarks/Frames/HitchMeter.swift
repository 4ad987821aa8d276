/// When the frames of a display begin.
struct FrameSchedule: Sendable {
  let start: ContinuousClock.Instant
  let frame: Duration

  /// The number of the frame at `instant`, from 0.
  func number(at instant: ContinuousClock.Instant) -> Int { Int(start.duration(to: instant) / frame) }

  func beginning(of number: Int) -> ContinuousClock.Instant { start.advanced(by: frame * number) }
}

/// The time by which frames are late, similar to Apple's hitch time, which also includes the wait for the next refresh.
///
/// Work belongs to the frame in which it begins, and has to end before the next frame begins. If it ends later, the display lacks
/// this frame until then. Time in which the display lacks several frames counts once.
struct HitchMeter: Sendable {
  let frames: FrameSchedule
  private let start: ContinuousClock.Instant
  /// The times at which the display lacks a frame, in order and apart.
  private var hitches: [Range<ContinuousClock.Instant>] = []

  /// - Parameter start: Earlier hitches do not count.
  init(_ frames: FrameSchedule, from start: ContinuousClock.Instant) {
    (self.frames, self.start) = (frames, start)
  }

  var time: Duration {
    hitches.reduce(.zero) { $0 + $1.lowerBound.duration(to: $1.upperBound) }
  }

  /// Counts work that belongs to a frame. Takes the work in the order in which it ends.
  mutating func count(workOf frame: Int, until end: ContinuousClock.Instant) {
    var due = max(frames.beginning(of: frame + 1), start)
    guard due < end else { return }
    while let last = hitches.last, due <= last.upperBound {
      due = min(due, last.lowerBound)
      hitches.removeLast()
    }
    hitches.append(due..<end)
  }
}
