/// One observer of an ``ObservableState`` or an ``EventChannel``, as a concrete sequence: what their `AsyncStream`s are built on, and
/// faster, because an element that is there already is read without suspending and without a cancellation handler.
///
/// It is one observer however often it is iterated: two tasks that read it share its elements. Cancelling a task that reads it
/// ends it; so does dropping it and its iterators.
public struct ObservedElements<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  @usableFromInline
  enum Source: Sendable {
    case latest(LatestValueSubscription<Element>)
    case buffer(BufferedSubscription<Element>)
  }

  @usableFromInline let source: Source

  @inlinable
  init(_ source: Source) { self.source = source }

  /// How many elements a bounded buffer has dropped. Those that ``BufferingPolicy/latest`` passes over do not count.
  @inlinable public var droppedCount: Int {
    switch source {
    case .latest: 0
    case .buffer(let observer): observer.droppedCount
    }
  }

  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(source) }

  /// Runs `body` for each element, until the end or the cancellation of the task: the loop to choose where speed counts, since it
  /// listens for a cancellation once, where `for await` does so each time that it has to wait.
  ///
  /// - Isolation: `body` runs on the caller's actor, one element at a time. It ends the observation when it throws.
  /// - Throws: what `body` throws.
  @inlinable
  public func forEach<Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Element) async throws(Failure) -> Void
  ) async throws(Failure) {
    switch source {
    case .latest(let observer): try await observer.forEach(isolation: isolation, body)
    case .buffer(let observer): try await observer.forEach(isolation: isolation, body)
    }
  }

  /// The same for a `body` that does not wait, at a lower price.
  @inlinable
  public func forEach<Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Element) throws(Failure) -> Void
  ) async throws(Failure) {
    switch source {
    case .latest(let observer): try await observer.forEach(isolation: isolation, body)
    case .buffer(let observer): try await observer.forEach(isolation: isolation, body)
    }
  }

  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let source: Source
    @usableFromInline let uncounted: Uncounted

    /// The observer of `source`, which keeps it alive, for reads that would otherwise retain and release it each time: a third
    /// of what reading an event costs.
    @usableFromInline
    @safe
    enum Uncounted {
      case latest(Unmanaged<LatestValueSubscription<Element>>)
      case buffer(Unmanaged<BufferedSubscription<Element>>)
    }

    @inlinable
    init(_ source: Source) {
      self.source = source
      uncounted =
        switch source {
        case .latest(let observer): unsafe .latest(.passUnretained(observer))
        case .buffer(let observer): unsafe .buffer(.passUnretained(observer))
        }
    }

    /// The next element, or nil at the end and after cancellation. It stays on the caller's actor.
    @inlinable @inline(__always)
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      switch readUnlessCancelled() {
      case .element(let element): return element
      case .ended: return nil
      case .nothing: break
      }
      switch source {
      case .latest(let observer): return await observer.waitUnlessCancelled(isolation: actor)
      case .buffer(let observer): return await observer.waitUnlessCancelled(isolation: actor)
      }
    }

    /// The next element, or nil at the end and after cancellation.
    @inlinable @inline(__always)
    public mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }

    /// What is there already.
    @inlinable @inline(__always)
    func readUnlessCancelled() -> Poll<Element> {
      withExtendedLifetime(source) {
        switch uncounted {
        case .latest(let observer): unsafe observer._withUnsafeGuaranteedRef { $0.readUnlessCancelled() }
        case .buffer(let observer): unsafe observer._withUnsafeGuaranteedRef { $0.readUnlessCancelled() }
        }
      }
    }
  }
}
