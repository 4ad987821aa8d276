import Synchronization

/// The observations, tasks and tokens that end with a screen. Each of them is a *binding*.
///
/// A ``ScreenHost`` has the bindings of its screen. Any other object, such as a view controller,
/// stores its own bindings and needs no base class:
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
/// - Isolation: `observe` and `run` are called on the main actor, the other members on any thread.
///   The bindings may end on any thread.
/// - Ordering: The bindings end in the order in which they were added. Those of a ``ScreenHost``
///   end before the children of the screen end, and before the screen is released.
/// - Cancellation: The bindings end when this object is released, or when the screen of the host
///   ends. A binding that is added later is cancelled at once.
/// - Ownership: An observation passes the screen to its closure, and does not keep it alive. A task
///   should capture the view model instead of the screen.
/// - Complexity: Amortized O(1) for each binding, and O(n log n) to end n bindings.
public final class ScreenBindings: Sendable {
  private struct Entry: Sendable {
    /// Ends the binding.
    var token: CancellationToken
    /// The token that was added, if `token` cancels it.
    var added: CancellationToken?

    var hasEnded: Bool { (added ?? token).hasEnded }
  }

  private struct Guarded {
    var entries = NumberedEntries<Entry>()
    var isClosed = false
  }

  private let guarded = Mutex(Guarded())

  /// Creates bindings that end when the returned object is released.
  public init() {}

  /// The number of bindings that have not ended. The binding of an observation also ends with its
  /// source.
  ///
  /// - Complexity: O(bindings).
  public var count: Int { guarded.withLock { $0.entries.count { !$0.hasEnded } } }

  /// Runs `body` on `screen` with the current state of a view model, and then after each change
  /// with the latest state, until the view model ends, the screen ends or the returned token is
  /// cancelled. See `observe(on:pacing:_:)`.
  @MainActor @discardableResult
  public func observe<Observer: AnyObject, Model: StateSource>(
    _ model: Model, on screen: Observer, pacing: FramePacing? = nil,
    _ body: @escaping @MainActor (Observer, Model.State) -> Void
  ) -> CancellationToken {
    insert(model.observe(on: screen, pacing: pacing, body))
  }

  /// Runs `body` on `screen` for each element of `source`, until `source` ends, the screen ends or
  /// the returned token is cancelled.
  ///
  /// A stream such as `model.states()` registers its observer when the stream is created. So the
  /// observation also receives changes that occur before its task begins to read.
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
    keep(Entry(token: CancellationToken(onCancel: task.cancel)), as: number)
    return task
  }

  /// Keeps a token until the screen ends, and then cancels the token.
  ///
  /// - Returns: A second token, which can end the binding earlier: cancelling the second token
  ///   cancels `token` and removes it from the bindings. Releasing the second token has no effect.
  @discardableResult
  public func insert(_ token: CancellationToken) -> CancellationToken {
    let number = nextNumber()
    let bound = CancellationToken { [weak self] in
      self?.remove(number)
      token.cancel()
    }
    keep(Entry(token: bound, added: token), as: number)
    return bound
  }

  func close() {
    let entries = guarded.withLock { bindings in
      bindings.isClosed = true
      return bindings.entries.removeAll()
    }
    for entry in entries { entry.token.cancel() }
  }

  private func nextNumber() -> UInt64 {
    guarded.take { bindings in
      (bindings.entries.reserve(nil), bindings.entries.removeOften(where: \.hasEnded))
    }.0
  }

  private func keep(_ entry: Entry, as number: UInt64) {
    let isClosed = guarded.withLock { bindings in
      if !bindings.isClosed { bindings.entries.byNumber[number] = entry }
      return bindings.isClosed
    }
    if isClosed { entry.token.cancel() }
  }

  private func remove(_ number: UInt64) {
    guarded.take { $0.entries.byNumber.removeValue(forKey: number) }
  }

  deinit { close() }
}

extension CancellationToken {
  /// Keeps this token until the screen of the bindings ends, which cancels the token.
  public func store(in bindings: ScreenBindings) { bindings.insert(self) }
}
