/// One observer of a ``StateStore`` or an ``EventChannel``, as a concrete sequence.
///
/// Use it on hot paths: it usually reads an available element without suspending and without a
/// cancellation handler. Two tasks that read the sequence split its elements. The observation ends
/// when a task that reads the sequence is cancelled, or when the sequence and its iterators are
/// released.
///
/// A reader of a state on no actor that has missed values gives other tasks a turn before its next
/// read.
public struct ObserverSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// The error type: the sequence never throws.
  public typealias Failure = Never

  @usableFromInline
  enum Source: Sendable {
    case latest(LatestValueObserver<Element>)
    case buffer(BufferedObserver<Element>)
  }

  @usableFromInline let source: Source

  @export(implementation)
  init(_ source: Source) { self.source = source }

  /// The number of elements that the bounded buffer of this observer has dropped. It is 0 for other
  /// policies.
  @export(implementation) public var droppedCount: Int {
    switch source {
    case .latest: 0
    case .buffer(let observer): observer.droppedCount
    }
  }

  /// Creates an iterator that reads from this observer.
  @export(implementation)
  public func makeAsyncIterator() -> Iterator { Iterator(source) }

  /// Runs `body` for each element until the sequence ends or the task is cancelled.
  ///
  /// Use this method on hot paths: it installs one cancellation handler, whereas `for await`
  /// installs one for each wait. If `body` throws, the observation ends.
  ///
  /// - Isolation: `body` runs on the caller's actor, one element at a time.
  /// - Throws: The error that `body` throws.
  @export(implementation)
  public func forEach<Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Element) async throws(Failure) -> Void
  ) async throws(Failure) {
    switch source {
    case .latest(let observer): try await observer.forEach(isolation: isolation, body)
    case .buffer(let observer): try await observer.forEach(isolation: isolation, body)
    }
  }

  /// Runs a synchronous `body` for each element until the sequence ends or the task is cancelled.
  ///
  /// This overload is faster than the overload for an async `body`, and gives the same guarantees.
  ///
  /// - Isolation: `body` runs on the caller's actor, one element at a time.
  /// - Throws: The error that `body` throws.
  @export(implementation)
  public func forEach<Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Element) throws(Failure) -> Void
  ) async throws(Failure) {
    switch source {
    case .latest(let observer): try await observer.forEach(isolation: isolation, body)
    case .buffer(let observer): try await observer.forEach(isolation: isolation, body)
    }
  }

  /// Reads the elements of an ``ObserverSequence``.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let source: Source
    @usableFromInline let unretained: Unretained

    /// An unretained reference to the observer, which `source` keeps alive.
    ///
    /// The unretained reference saves a retain and a release for each read, a third of the cost of
    /// reading an event.
    @usableFromInline
    @safe
    enum Unretained {
      case latest(Unmanaged<LatestValueObserver<Element>>)
      case buffer(Unmanaged<BufferedObserver<Element>>)
    }

    @export(implementation)
    init(_ source: Source) {
      self.source = source
      unretained =
        switch source {
        case .latest(let observer): unsafe .latest(.passUnretained(observer))
        case .buffer(let observer): unsafe .buffer(.passUnretained(observer))
        }
    }

    /// Returns the next element, or `nil` after the end or a cancellation. Stays on the caller's
    /// actor.
    @export(implementation) @inline(__always)
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      switch readUnlessCancelled(on: actor) {
      case .element(let element): return element
      case .ended: return nil
      case .nothing: break
      }
      switch source {
      case .latest(let observer): return await observer.waitUnlessCancelled(isolation: actor)
      case .buffer(let observer): return await observer.waitUnlessCancelled(isolation: actor)
      }
    }

    /// Returns the next element, or `nil` after the end or a cancellation.
    @export(implementation) @inline(__always)
    public mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }

    /// Reads an element if one is available now, and ends the observation if the task is cancelled.
    @export(implementation) @inline(__always)
    func readUnlessCancelled(on actor: (any Actor)?) -> Poll<Element> {
      withExtendedLifetime(source) {
        switch unretained {
        case .latest(let observer):
          unsafe observer._withUnsafeGuaranteedRef { $0.readUnlessCancelled(on: actor) }
        case .buffer(let observer):
          unsafe observer._withUnsafeGuaranteedRef { $0.readUnlessCancelled(on: actor) }
        }
      }
    }
  }
}
