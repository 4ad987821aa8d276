/// One observer as the sequence types see it. The storage behind it does the locking.
@usableFromInline
protocol Subscription<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable

  /// What there is to read now. `parking` is where the caller has just been woken, if it was: that place is free again.
  func poll(after parking: Parking) -> Poll<Element>

  /// Whether the last element had to be waited for: the next one will have to be, too, and is not looked for before. A guess
  /// that costs a little where it is wrong.
  var expectsToWait: Bool { get set }

  /// Lists `continuation` to be resumed when there may be something to read. ``Parking/none`` if there is
  /// already: the continuation was not kept, and the caller resumes it.
  func park(_ continuation: UnsafeContinuation<Void, Never>) -> Parking

  /// Ends the observation: whoever waits is woken, and every later poll says ``Poll/ended``. Any thread, any number of times.
  func leave()
}

/// What an observer that looked for something to read has found.
@usableFromInline
enum Poll<Element> {
  case element(Element)
  case nothing
  case ended
}

extension Poll: Sendable where Element: Sendable {}

extension Subscription {
  /// The next element, or nil when the observation has ended. Somebody else calls ``leave()`` on cancellation.
  @inlinable @inline(__always)
  func next(isolation: isolated (any Actor)?) async -> Element? {
    if !expectsToWait {
      switch poll(after: .none) {
      case .element(let element): return element
      case .ended: return nil
      case .nothing: break
      }
    }
    return await nextAfterWaiting(isolation: isolation)
  }

  /// What there is to read, for a caller that has no other way to hear of its task's cancellation.
  @inlinable @inline(__always)
  func readUnlessCancelled() -> Poll<Element> {
    if Task.isCancelled {
      leave()
      return .ended
    }
    return expectsToWait ? .nothing : poll(after: .none)
  }

  /// The next element, for the same caller.
  @inlinable @inline(__always)
  func waitUnlessCancelled(isolation: isolated (any Actor)?) async -> Element? {
    await withTaskCancellationHandler {
      await nextAfterWaiting(isolation: isolation)
    } onCancel: {
      leave()
    }
  }

  /// Waits, and looks again, until there is something to return.
  @inlinable @inline(__always)
  func nextAfterWaiting(isolation: isolated (any Actor)?) async -> Element? {
    var found = Poll<Element>.nothing
    while case .nothing = found {
      var parking = Parking.none
      unsafe await withUnsafeContinuation(isolation: isolation) { continuation in
        parking = unsafe park(continuation)
        if case .none = parking { unsafe continuation.resume() }
      }
      expectsToWait = if case .none = parking { false } else { true }
      found = poll(after: parking)
    }
    return if case .element(let element) = found { element } else { nil }
  }

  /// Hands over every element, and listens for a cancellation once.
  @inlinable
  func forEach<Failure: Error>(
    isolation: isolated (any Actor)?, _ body: (Element) async throws(Failure) -> Void
  ) async throws(Failure) {
    let result = await withTaskCancellationHandler {
      do throws(Failure) {
        while let element = await next(isolation: isolation) { try await body(element) }
        return Result<Void, Failure>.success(())
      } catch {
        return .failure(error)
      }
    } onCancel: {
      leave()
    }
    leave()
    try result.get()
  }

  /// The same for a `body` that does not wait: calling it takes no frame of its own, and no look at where to run.
  @inlinable
  func forEach<Failure: Error>(
    isolation: isolated (any Actor)?, _ body: (Element) throws(Failure) -> Void
  ) async throws(Failure) {
    let result = await withTaskCancellationHandler {
      do throws(Failure) {
        while let element = await next(isolation: isolation) { try body(element) }
        return Result<Void, Failure>.success(())
      } catch {
        return .failure(error)
      }
    } onCancel: {
      leave()
    }
    leave()
    try result.get()
  }

  /// The public currency. `AsyncStream` brings its own cancellation handler, so this one adds none.
  @inlinable
  func makeStream() -> AsyncStream<Element> {
    AsyncStream(unfolding: { await self.next(isolation: nil) }, onCancel: { self.leave() })
  }

  /// A stream of what `transform` makes of the elements, without neighbours that are equal.
  @inlinable
  func makeStream<Projected: Equatable & Sendable>(
    distinct transform: @escaping @Sendable (Element) -> Projected
  ) -> AsyncStream<Projected> {
    let last = LastElement<Projected>()
    return AsyncStream(
      unfolding: {
        while let element = await self.next(isolation: nil) {
          let projected = transform(element)
          if last.changes(to: projected) { return projected }
        }
        return nil
      },
      onCancel: { self.leave() })
  }
}
