import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct HitchMeterTests {
  /// 100 frames a second.
  private let frames = FrameSchedule(start: .now, frame: .milliseconds(10))

  private func time(_ milliseconds: Double) -> ContinuousClock.Instant {
    frames.start.advanced(by: .milliseconds(milliseconds))
  }

  @Test("an instant belongs to the frame that has begun last")
  func numbers() {
    #expect([0, 9.9, 10.1, 25].map { frames.number(at: time($0)) } == [0, 0, 1, 2])
    #expect(frames.beginning(of: 3) == time(30))
  }

  @Test("work that ends before the next frame begins is no hitch")
  func onTime() {
    var meter = HitchMeter(frames, from: frames.start)
    meter.count(workOf: 0, until: time(10))
    meter.count(workOf: 3, until: time(39.9))
    #expect(meter.time == .zero)
  }

  @Test("work that ends in the next frame makes its own frame late, although the next one can be on time")
  func late() {
    var meter = HitchMeter(frames, from: frames.start)
    meter.count(workOf: 0, until: time(12))
    meter.count(workOf: 1, until: time(19))
    #expect(meter.time == .milliseconds(2))
  }

  @Test("time in which the display lacks several frames counts once, whichever work ends first")
  func overlapping() {
    var meter = HitchMeter(frames, from: frames.start)
    meter.count(workOf: 0, until: time(35))
    meter.count(workOf: 1, until: time(36))
    meter.count(workOf: 4, until: time(52))
    #expect(meter.time == .milliseconds(28))
    // This work has waited since the beginning, and is the last to end.
    meter.count(workOf: 0, until: time(60))
    #expect(meter.time == .milliseconds(50))
  }

  @Test("a hitch before the start counts from the start")
  func start() {
    var meter = HitchMeter(frames, from: time(30))
    meter.count(workOf: 0, until: time(25))
    #expect(meter.time == .zero)
    meter.count(workOf: 0, until: time(34))
    #expect(meter.time == .milliseconds(4))
  }
}
