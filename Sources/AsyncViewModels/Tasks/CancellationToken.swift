import Dispatch
import Synchronization

/// A handle that cancels a request, a callback registration, or a scheduled block.
///
/// ```swift
/// let request = loader.load(url) { show($0) }
/// return CancellationToken { request.cancel() }
/// ```
///
/// The action of a token runs **at most once**. Releasing the last reference to a token also
/// cancels the work, so keep the token for as long as the work must continue. When the work has
/// ended, call ``finish()``: a later cancellation then does nothing, and the captures of the action
/// are released.
///
/// - Isolation: None. Cancel on any thread, at any time, any number of times. The action runs on
///   the thread that cancels first, under no lock, so it may cancel other tokens or this token.
/// - Lifetime: In an optimized build, a local variable keeps a token only until its last use, and
///   the release then cancels the work. Store the token in a property or a ``TaskBag``, or use
///   ``hold(isolation:_:)``.
public final class CancellationToken: Sendable {
  private let phase: Mutex<Phase>

  private enum Phase {
    case armed(@Sendable () -> Void)
    case observing(any EndingWork)
    case cancelled
    case finished

    var isOpen: Bool {
      switch self {
      case .armed, .observing: true
      case .cancelled, .finished: false
      }
    }
  }

  /// Creates a token that runs `onCancel` when the token is cancelled or released.
  public convenience init(onCancel: @escaping @Sendable () -> Void) {
    self.init(.armed(onCancel))
  }

  private init(_ phase: Phase) { self.phase = Mutex(phase) }

  /// Creates a token that ends an observation, and that knows when the observation has ended.
  @usableFromInline
  convenience init(_ work: any EndingWork) { self.init(.observing(work)) }

  /// A finished token, for work that has already ended or cannot be cancelled. Cancelling this
  /// token does nothing.
  public static let finished = CancellationToken(.finished)

  /// Whether the token was cancelled before any call of ``finish()``.
  public var isCancelled: Bool {
    phase.withLock {
      if case .cancelled = $0 { true } else { false }
    }
  }

  /// Whether there is nothing left to cancel.
  package var hasEnded: Bool {
    // Under the lock: a copy of the phase could be the last reference to the action, whose release
    // can run any code.
    phase.withLock { phase in
      switch phase {
      case .armed: false
      case .observing(let work): work.hasEnded
      case .cancelled, .finished: true
      }
    }
  }

  /// Cancels the work. Only the first cancellation runs the action.
  ///
  /// When the call that cancels the token returns, the action has run. Another call may return
  /// before that.
  public func cancel() {
    transition(to: .cancelled)?()
  }

  /// Marks the work as finished and releases the captures of the action. A later ``cancel()`` does
  /// nothing.
  public func finish() {
    _ = transition(to: .finished)
  }

  /// Runs `body`, and keeps this token until `body` has ended.
  ///
  /// In synchronous code, use `withExtendedLifetime` instead.
  ///
  /// ```swift
  /// let token = total.bind(on: queue) { recorder.note($0) }
  /// await token.hold { await checkOut() }
  /// ```
  ///
  /// - Isolation: `body` runs on the caller's actor.
  /// - Throws: The error that `body` throws.
  public func hold<Output, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Output
  ) async throws(Failure) -> Output {
    defer { withExtendedLifetime(self) {} }
    return try await body()
  }

  /// Changes the phase of an armed token and returns its action. Returns `nil` if the token is no
  /// longer armed.
  private func transition(to next: Phase) -> (@Sendable () -> Void)? {
    phase.take { phase in
      defer { if phase.isOpen { phase = next } }
      switch phase {
      case .armed(let onCancel): return onCancel
      case .observing(let work): return { work.end() }
      case .cancelled, .finished: return nil
      }
    }
  }

  deinit { cancel() }
}

extension CancellationToken {
  /// Cancels the work, and runs the cancellation action on a global queue.
  ///
  /// The cancellation action may wait for a queue. On that queue, call this method instead of
  /// ``cancel()``, which could deadlock. In a `deinit`, call it, too: the last reference can be
  /// released on that queue. The token is cancelled when this method returns, so a later
  /// ``finish()`` does nothing.
  public func cancelOnGlobalQueue() {
    guard let onCancel = transition(to: .cancelled) else { return }
    DispatchQueue.global().async(execute: onCancel)
  }
}

/// The work of a token that can end before the token is cancelled.
@usableFromInline
protocol EndingWork: AnyObject, Sendable {
  /// Ends the work. Only the first call has an effect.
  func end()

  /// Whether the work has ended.
  var hasEnded: Bool { get }
}

/// A task that reads a sequence for an observer.
final class ObservingTask: EndingWork {
  private struct State: Sendable {
    var task: Task<Void, Never>?
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let liveObject: LiveObjectToken

  init(on owner: Any.Type) { liveObject = LiveObjectToken(.task, "observe on \(owner)") }

  /// Stores the task, unless it has already ended, and returns the token that cancels it.
  func start(_ task: Task<Void, Never>) -> CancellationToken {
    state.withLock { if !$0.hasEnded { $0.task = task } }
    return CancellationToken(self)
  }

  /// Records that the task has ended. The last step of the task.
  func finish() {
    liveObject.end()
    state.take { state in
      state.hasEnded = true
      return state.task.take()
    }
  }

  func end() { state.withLock { $0.task }?.cancel() }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }
}
