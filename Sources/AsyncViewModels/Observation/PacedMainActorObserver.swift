import Synchronization

/// Calls a body on the main actor with the latest value of a state, at most once in each frame.
///
/// While a changed value waits for its frame, this object is not in the list of its storage, so
/// changes do not wake it.
@usableFromInline
final class PacedMainActorObserver<Owner: AnyObject, Value: Sendable>: MainActorObserver<Owner, Value>,
  @unchecked Sendable
{
  private struct Frame {
    /// `nil` after the end of the observation.
    var pacing: FramePacing?
    /// When the observer asked for its next value.
    var request = Duration.zero
    /// Waits for the frame of the next value.
    var timer: Task<Void, Never>?
    /// Calls this observer in the frame of the next value.
    var call: CancellationToken?
  }

  private let frame: Mutex<Frame>

  @MainActor @usableFromInline
  init(of storage: StateStorage<Value>, on owner: Owner, pacing: FramePacing, _ body: @escaping Body) {
    frame = Mutex(Frame(pacing: pacing))
    super.init(of: storage, on: owner, body)
  }

  @usableFromInline
  override func didDeliver() {
    guard let now = frame.withLock({ $0.pacing })?.elapsed() else { return }
    frame.take { frame in
      frame.request = now
      return (frame.timer.take(), frame.call.take())
    }
  }

  @usableFromInline
  override func scheduleDelivery() {
    frame.withLock { frame in
      let request = frame.request
      // Created under the lock, so that `end()` and `didDeliver()` find each timer. Nothing of it
      // runs here.
      frame.timer = frame.pacing.map { pacing in
        Task.detached(priority: .userInitiated) {
          if let callInFrame = pacing.callInFrame { return await self.deliver(request, callInFrame) }
          try? await pacing.waitForFrame(request)
          self.enqueue()
        }
      }
    }
  }

  /// Delivers the latest value within its frame, so that the frame shows it.
  @MainActor
  private func deliver(_ request: Duration, _ callInFrame: FramePacing.CallInFrame) {
    guard let call = callInFrame(request, { self.deliver() }) else { return deliver() }
    let isOver = frame.withLock { frame in
      if frame.pacing != nil { frame.call = call }
      return frame.pacing == nil
    }
    if isOver { call.cancel() }
  }

  @usableFromInline
  override func end() {
    super.end()
    let (_, timer, call) = frame.take { ($0.pacing.take(), $0.timer.take(), $0.call.take()) }
    timer?.cancel()
    call?.cancel()
  }
}
