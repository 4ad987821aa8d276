import Synchronization

/// The observations, tasks and tokens that end with a screen. Each of them is a *binding*.
///
/// A ``ScreenHost`` has the bindings of its screen. Any other object, such as a view controller, stores bindings of its
/// own and needs no base class:
///
/// ```swift
/// final class CartViewController: UIViewController {
///   private let bindings = ScreenBindings()
///
///   override func viewDidLoad() {
///     super.viewDidLoad()
///     bindings.observe(model, on: self) { controller, state in controller.render(state) }
///   }
/// }
/// ```
///
/// - Isolation: `observe` and `run` are called on the main actor, the other members on any thread. The bindings
///   may end on any thread.
/// - Ordering: The binding that was added last ends first. The bindings of a ``ScreenHost`` end before the children of
///   the screen end, and before the screen is released.
/// - Cancellation: The bindings end when this object is released, or when the screen of the host ends. A binding that
///   is added after the screen has ended is cancelled at once.
/// - Ownership: Bindings do not keep the screen alive, unless one of their closures captures the screen. An
///   observation passes the screen to its closure. A task should capture the view model instead of the screen.
/// - Complexity: O(1) for each binding, and O(n log n) to end n bindings.
public final class ScreenBindings: Sendable {
  private struct Guarded {
    var last = 0
    var tokens: [Int: CancellationToken] = [:]
    var isClosed = false
  }

  private let guarded = Mutex(Guarded())

  /// Creates bindings that end when the returned object is released.
  public init() {}

  /// The number of bindings. A task that has ended and a binding whose returned token was cancelled do not
  /// count. An observation still counts after its source has ended.
  public var count: Int { guarded.withLock { $0.tokens.count } }

  /// Runs `body` on `screen` with the current state of a view model, and then after each change with the latest
  /// state, until the view model ends, the screen ends or the returned token is cancelled.
  ///
  /// If the state can change more often than the screen is drawn, pass a `pacing`. `body` then runs at most once in
  /// each frame. See `observe(on:pacing:_:)` for all guarantees.
  @MainActor @discardableResult
  public func observe<Observer: AnyObject, Model: StateSource>(
    _ model: Model, on screen: Observer, pacing: FramePacing? = nil,
    _ body: @escaping @MainActor (Observer, Model.State) -> Void
  ) -> CancellationToken {
    insert(model.observe(on: screen, pacing: pacing, body))
  }

  /// Runs `body` on `screen` for each element of `source`, until `source` ends, the screen ends or the returned
  /// token is cancelled.
  ///
  /// A stream such as `model.states()` registers its observer when the stream is created. So the observation
  /// also receives changes that occur before its task begins to read.
  @MainActor @discardableResult
  public func observe<Observer: AnyObject, Source: AsyncSequence & Sendable>(
    _ source: Source, on screen: Observer,
    _ body: @escaping @MainActor (Observer, Source.Element) async -> Void
  ) -> CancellationToken where Source.Element: Sendable, Source.Failure == Never {
    insert(source.observe(on: screen, body))
  }

  /// Starts a task that runs `work`, and cancels the task when the screen ends.
  @MainActor @discardableResult
  public func run(_ work: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
    let number = nextNumber()
    let liveObject = LiveObjectToken(.task, "ScreenBindings")
    let task = Task { [weak self] in
      defer { liveObject.end() }
      await work()
      self?.remove(number)
    }
    keep(CancellationToken(onCancel: task.cancel), as: number)
    return task
  }

  /// Keeps a token until the screen ends, and then cancels the token.
  ///
  /// - Returns: A second token, which can end the binding earlier: cancelling the second token cancels `token`
  ///   and removes it from the bindings. Releasing the second token has no effect.
  @discardableResult
  public func insert(_ token: CancellationToken) -> CancellationToken {
    let number = nextNumber()
    let bound = CancellationToken { [weak self] in
      self?.remove(number)
      token.cancel()
    }
    keep(bound, as: number)
    return bound
  }

  func close() {
    let tokens = guarded.withLock { bindings in
      bindings.isClosed = true
      defer { bindings.tokens = [:] }
      return bindings.tokens
    }
    for number in tokens.keys.sorted(by: >) { tokens[number]?.cancel() }
  }

  private func nextNumber() -> Int {
    guarded.withLock { bindings in
      bindings.last += 1
      return bindings.last
    }
  }

  private func keep(_ token: CancellationToken, as number: Int) {
    let isClosed = guarded.withLock { bindings in
      if !bindings.isClosed { bindings.tokens[number] = token }
      return bindings.isClosed
    }
    if isClosed { token.cancel() }
  }

  private func remove(_ number: Int) {
    // Released after the unlock: releasing the last reference to a token cancels it, which can run any code.
    withExtendedLifetime(guarded.withLock { $0.tokens.removeValue(forKey: number) }) {}
  }

  deinit { close() }
}
