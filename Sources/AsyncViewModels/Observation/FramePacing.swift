/// Limits an observer of a state to one value in each frame.
///
/// Use it for a state that can change more often than the screen is drawn: a cheap render would
/// otherwise run for almost every change.
///
/// ```swift
/// let pacing = FramePacing.frames(perSecond: 60)
/// bindings.observe(model, on: self, pacing: pacing) { screen, state in screen.render(state) }
/// chart = StateMirror(model, pacing: pacing, of: \.chart)
/// ```
///
/// | Topic | Guarantee |
/// | --- | --- |
/// | First value | The current value, at once. |
/// | First change in a later frame | Delivered at once, without a timer. |
/// | Changes in the frame of the last value | The latest of them is delivered at the beginning of the next frame. |
/// | Slow body | The body never starts twice in one frame. |
/// | Last value | Never lost. If the state ends while a value waits for its frame, the stream yields the value in that frame, and then ends. |
/// | Cancellation | The stream ends at once, and the value that waits is dropped. |
/// | Nothing changes | There is no timer and no display link, and no task is resumed. |
///
/// - Isolation: The waits run on no actor. An observer on the main actor uses the main actor once
///   for each value that it receives.
/// - Ownership: A stream keeps its pacing, but neither the state nor the view model alive.
/// - Complexity: O(1) memory, and at most one timer, for each observer. Each delivered value costs
///   at most one resumption and one timer, however many changes the frame has.
/// - Note: The guarantees apply to each task that reads. Create one stream for each task.
public struct FramePacing: Sendable {
  /// Returns the time since the pacing was created.
  @usableFromInline let elapsed: @Sendable () -> Duration

  /// Returns when a frame has begun after `time`. Throws if the task is cancelled.
  @usableFromInline let waitForFrame: @Sendable (_ time: Duration) async throws -> Void

  /// Calls a body on the main actor, within the next frame that begins after `time`. Returns `nil`,
  /// and does not call the body, if no frame is needed. `nil` if frames do not begin on the main
  /// actor.
  @usableFromInline let callInFrame: CallInFrame?

  @usableFromInline
  typealias CallInFrame =
    @MainActor @Sendable (_ time: Duration, _ body: @escaping @MainActor () -> Void) -> CancellationToken?

  /// Returns a pacing with frames of equal length.
  ///
  /// The frame number `n` begins `n / rate` seconds after this call, on `clock`. Observers that
  /// share a pacing receive their values at the same times. The frames are not those of a display:
  /// with a rate of at least the display's rate, a value is shown at most one refresh later than
  /// without a pacing.
  ///
  /// - Parameters:
  ///   - rate: The number of frames in a second, for example 60 or 120.
  ///   - clock: The clock that measures the time. A test passes a virtual clock.
  /// - Precondition: `rate` is between 1 and 1,000.
  @export(implementation)
  public static func frames(
    perSecond rate: Int, clock: any Clock<Duration> = ContinuousClock()
  ) -> FramePacing {
    guard (1...1_000).contains(rate) else {
      fatalError("FramePacing.frames(perSecond:): the rate must be between 1 and 1,000, but is \(rate)")
    }
    let length = (Duration.seconds(1) / rate).attoseconds
    let stopwatch = Stopwatch(clock)
    return FramePacing(elapsed: stopwatch.elapsed) { time in
      let next = Duration(attoseconds: (time.attoseconds / length + 1) * length)
      if stopwatch.elapsed() < next { try await stopwatch.sleep(next) }
    }
  }

  /// Creates a pacing with frames that other code announces, such as a display link.
  ///
  /// A change is delivered at once if the observer has asked for it at least `longestFrame` ago.
  /// Otherwise, it is delivered after `nextFrame` has returned.
  ///
  /// - Parameters:
  ///   - longestFrame: An upper limit of the time between the beginnings of two frames.
  ///   - clock: The clock that measures the time.
  ///   - nextFrame: Returns at the beginning of the next frame, or as soon as the task is
  ///     cancelled. Called on no actor, and only while a changed value waits: at most once at a
  ///     time for each observer. If it throws, the value is delivered at once.
  @export(implementation)
  public init(
    longestFrame: Duration, clock: any Clock<Duration> = ContinuousClock(),
    nextFrame: @escaping @Sendable () async throws -> Void
  ) {
    let stopwatch = Stopwatch(clock)
    self.init(elapsed: stopwatch.elapsed) { time in
      if stopwatch.elapsed() - time < longestFrame { try await nextFrame() }
    }
  }

  /// Creates a pacing with frames that begin on the main actor, such as those of a display.
  ///
  /// An observer on the main actor receives its value within the frame. A stream resumes its reader
  /// then.
  ///
  /// - Parameter callInFrame: Calls a body within the next frame, unless the token is cancelled or
  ///   released. Returns `nil`, and does not call the body, if there are no frames.
  @export(implementation)
  package init(
    longestFrame: Duration, clock: any Clock<Duration> = ContinuousClock(),
    callInFrame:
      @escaping @MainActor @Sendable (_ body: @escaping @MainActor () -> Void) -> CancellationToken?
  ) {
    let stopwatch = Stopwatch(clock)
    let call: CallInFrame = { time, body in
      stopwatch.elapsed() - time < longestFrame ? callInFrame(body) : nil
    }
    self.init(elapsed: stopwatch.elapsed, callInFrame: call) { time in await FrameWait().wait(time, call) }
  }

  @export(implementation)
  init(
    elapsed: @escaping @Sendable () -> Duration, callInFrame: CallInFrame? = nil,
    waitForFrame: @escaping @Sendable (_ time: Duration) async throws -> Void
  ) {
    self.elapsed = elapsed
    self.waitForFrame = waitForFrame
    self.callInFrame = callInFrame
  }
}

/// A wait for a frame by code that is not on the main actor.
@MainActor @usableFromInline
final class FrameWait {
  @usableFromInline var continuation: CheckedContinuation<Void, Never>?
  @usableFromInline var call: CancellationToken?

  @export(implementation)
  nonisolated init() {}

  /// Returns in the frame, or when the task is cancelled.
  @export(implementation)
  func wait(_ time: Duration, _ callInFrame: FramePacing.CallInFrame) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A cancellation before this point has already created its task, which runs after this
        // turn.
        self.continuation = continuation
        call = callInFrame(time) { self.end() }
        if call == nil { end() }
      }
    } onCancel: {
      Task { @MainActor in self.end() }
    }
  }

  @export(implementation)
  func end() {
    call = nil
    continuation.take()?.resume()
  }
}
