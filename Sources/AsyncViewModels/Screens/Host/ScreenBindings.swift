import Synchronization

/// What a screen has bound: observations, tasks, registrations. They live as long as the screen does.
///
/// - Ordering: they end in the reverse order of their binding, all before the first child of the screen ends, and before
///   the screen itself goes away.
/// - Promises: what is bound after the end is cancelled at once. Nothing here keeps the screen alive, unless a closure does: an
///   observation hands the screen to its body, and a task captures the view model rather than the screen.
/// - Isolation: screens bind on the main actor; the end may come from anywhere.
/// - Cost: O(1) for each binding, O(n log n) for the end of n.
public final class ScreenBindings: Sendable {
  private struct Guarded {
    var last = 0
    var tokens: [Int: CancellationToken] = [:]
    var isClosed = false
  }

  private let guarded = Mutex(Guarded())

  init() {}

  /// How many things are bound: not cancelled, and, where they are tasks, not finished.
  public var count: Int { guarded.withLock { $0.tokens.count } }

  /// Runs `body` on `screen` for each element of `source`, until the screen ends or the returned token is cancelled.
  ///
  /// Pass the stream, not the view model: it registers with this call, so nothing that comes after it is missed.
  @MainActor @discardableResult
  public func observe<Observer: AnyObject, Source: AsyncSequence & Sendable>(
    _ source: Source, on screen: Observer,
    _ body: @escaping @MainActor (Observer, Source.Element) async -> Void
  ) -> CancellationToken where Source.Element: Sendable, Source.Failure == Never {
    insert(source.observe(on: screen, body))
  }

  /// Runs `work`, and cancels it when the screen ends.
  @MainActor @discardableResult
  public func run(_ work: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
    let number = nextNumber()
    let entry = LiveObjectToken(.task, "ScreenBindings")
    let task = Task { [weak self] in
      defer { entry.end() }
      await work()
      self?.remove(number)
    }
    keep(CancellationToken(onCancel: task.cancel), as: number)
    return task
  }

  /// Keeps a registration until the screen ends.
  ///
  /// - Returns: a token that ends it earlier, and takes it out of the bindings.
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
    // This may be the token's last reference, whose end cancels: after the unlock.
    withExtendedLifetime(guarded.withLock { $0.tokens.removeValue(forKey: number) }) {}
  }

  deinit { close() }
}
