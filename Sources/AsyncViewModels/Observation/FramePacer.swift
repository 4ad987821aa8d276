import Synchronization

/// Delays the deliveries of one ``MainActorObserver``, so that there is at most one in each frame.
///
/// While a changed value waits for its frame, the observer is not in the list of its storage, so
/// changes do not wake it.
@usableFromInline
final class FramePacer: Sendable {
  private struct Frame {
    /// `nil` after the end of the observation.
    var pacing: FramePacing?
    /// When the observer asked for its next value.
    var request = Duration.zero
    /// Waits for the frame of the next value.
    var timer: Task<Void, Never>?
    /// Calls the observer in the frame of the next value.
    var call: CancellationToken?
  }

  private let frame: Mutex<Frame>

  @usableFromInline
  init(_ pacing: FramePacing) { frame = Mutex(Frame(pacing: pacing)) }

  /// Notes that the observer asks for its next value.
  @usableFromInline
  func didDeliver() {
    guard let now = frame.withLock({ $0.pacing })?.elapsed() else { return }
    frame.take { frame in
      frame.request = now
      return (frame.timer.take(), frame.call.take())
    }
  }

  /// Calls `deliver` in the frame of the next value.
  @usableFromInline
  func schedule(_ deliver: @escaping @MainActor @Sendable () -> Void) {
    frame.withLock { frame in
      let request = frame.request
      // Created under the lock, so that `end()` and `didDeliver()` find each timer. Nothing of it
      // runs here.
      frame.timer = frame.pacing.map { pacing in
        Task.detached(priority: .userInitiated) {
          if let callInFrame = pacing.callInFrame { return await self.call(deliver, request, callInFrame) }
          try? await pacing.waitForFrame(request)
          Task.detached(priority: .userInitiated) { @MainActor in deliver() }
        }
      }
    }
  }

  /// Calls `deliver` within its frame, so that the frame shows the value.
  @MainActor
  private func call(
    _ deliver: @escaping @MainActor @Sendable () -> Void, _ request: Duration,
    _ callInFrame: FramePacing.CallInFrame
  ) {
    guard let call = callInFrame(request, deliver) else { return deliver() }
    let isOver = frame.withLock { frame in
      if frame.pacing != nil { frame.call = call }
      return frame.pacing == nil
    }
    if isOver { call.cancel() }
  }

  /// Ends the wait for a frame.
  @usableFromInline
  func end() {
    let (_, timer, call) = frame.take { ($0.pacing.take(), $0.timer.take(), $0.call.take()) }
    timer?.cancel()
    call?.cancel()
  }
}
