import Synchronization

/// Delays the deliveries of one ``MainActorObserver``, so that there is at most one in each frame.
///
/// While a changed value waits for its frame, the observer is not in the list of its storage, so
/// changes do not wake it.
///
/// `@unchecked Sendable`: `lock` guards every other property. They are not in a struct, because its
/// metadata would be as large as the code of this class.
@usableFromInline
final class FramePacer: @unchecked Sendable {
  private let lock = Mutex(())
  /// `nil` after the end of the observation.
  @safe @exclusivity(unchecked) private var pacing: FramePacing?
  /// When the observer asked for its next value.
  @safe @exclusivity(unchecked) private var request = Duration.zero
  /// Waits for the frame of the next value.
  @safe @exclusivity(unchecked) private var timer: Task<Void, Never>?
  /// Calls the observer in the frame of the next value.
  @safe @exclusivity(unchecked) private var call: CancellationToken?

  @usableFromInline
  init(_ pacing: FramePacing) { self.pacing = pacing }

  /// Notes that the observer asks for its next value.
  @usableFromInline
  func didDeliver() {
    guard let now = lock.withLock({ _ in pacing })?.elapsed() else { return }
    var call: CancellationToken?
    lock.withLock { _ in
      request = now
      swap(&call, &self.call)
    }
  }

  /// Calls `deliver` in the frame of the next value.
  @usableFromInline
  func schedule(_ deliver: @escaping @MainActor @Sendable () -> Void) {
    lock.withLock { _ in
      // Created under the lock, so that `end()` finds each timer. Nothing of it runs here.
      if let pacing {
        timer = Task.detached(priority: .userInitiated) { [request] in
          if pacing.callInFrame == nil { try? await pacing.waitForFrame(request) }
          await self.deliver(deliver, request, pacing)
        }
      }
    }
  }

  /// Calls `deliver` within its frame, so that the frame shows the value.
  @MainActor
  private func deliver(
    _ deliver: @escaping @MainActor @Sendable () -> Void, _ request: Duration, _ pacing: FramePacing
  ) {
    // `deliver` can end the observation. That does not cancel the task that runs `deliver`.
    lock.withLock { _ in timer = nil }
    var call = pacing.callInFrame?(request, deliver)
    if call == nil { return deliver() }
    lock.withLock { _ in if self.pacing != nil { swap(&call, &self.call) } }
    call?.cancel()
  }

  /// Ends the wait for a frame.
  @usableFromInline
  func end() {
    var pacing: FramePacing?
    var timer: Task<Void, Never>?
    var call: CancellationToken?
    lock.withLock { _ in
      swap(&pacing, &self.pacing)
      swap(&timer, &self.timer)
      swap(&call, &self.call)
    }
    timer?.cancel()
    call?.cancel()
  }
}
