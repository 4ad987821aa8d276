/// One observer as the sequence types see it. The hub behind it does the locking.
@usableFromInline
protocol Observing<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable

  /// What there is to read now. `parking` is where the caller has just been woken, if it was: that place is free again.
  func poll(after parking: Parking) -> Poll<Element>

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

extension Observing {
  /// The next element, or nil when the observation has ended. Somebody else calls ``leave()`` on cancellation.
  @inlinable @inline(__always)
  nonisolated(nonsending) func next() async -> Element? {
    switch poll(after: .none) {
    case .element(let element): element
    case .ended: nil
    case .nothing: await nextAfterWaiting()
    }
  }

  /// The same, for a caller that has no other way to hear of its task's cancellation. What is there already costs
  /// no cancellation handler.
  @inlinable @inline(__always)
  nonisolated(nonsending) func nextUnlessCancelled() async -> Element? {
    if Task.isCancelled {
      leave()
      return nil
    }
    switch poll(after: .none) {
    case .element(let element): return element
    case .ended: return nil
    case .nothing:
      return await withTaskCancellationHandler {
        await nextAfterWaiting()
      } onCancel: {
        leave()
      }
    }
  }

  /// Hands over every element, and listens for a cancellation once.
  @inlinable
  nonisolated(nonsending) func forEach<Failure: Error>(
    _ body: (Element) async throws(Failure) -> Void
  ) async throws(Failure) {
    let result = await withTaskCancellationHandler {
      do throws(Failure) {
        while let element = await next() { try await body(element) }
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

  /// Waits, and looks again, until there is something to return.
  @inlinable @inline(__always)
  nonisolated(nonsending) func nextAfterWaiting() async -> Element? {
    var found = Poll<Element>.nothing
    while case .nothing = found {
      var parking = Parking.none
      unsafe await withUnsafeContinuation { continuation in
        parking = unsafe park(continuation)
        if case .none = parking { unsafe continuation.resume() }
      }
      found = poll(after: parking)
    }
    return if case .element(let element) = found { element } else { nil }
  }

  /// The public currency. `AsyncStream` brings its own cancellation handler, so this one adds none.
  @inlinable
  func makeStream() -> AsyncStream<Element> {
    AsyncStream(unfolding: { await self.next() }, onCancel: { self.leave() })
  }

  /// A stream of what `transform` makes of the elements, without neighbours that are equal.
  @inlinable
  func makeStream<Projected: Equatable & Sendable>(
    distinct transform: @escaping @Sendable (Element) -> Projected
  ) -> AsyncStream<Projected> {
    let last = LastElement<Projected>()
    return AsyncStream(
      unfolding: {
        while let element = await self.next() {
          let projected = transform(element)
          if last.changes(to: projected) { return projected }
        }
        return nil
      },
      onCancel: { self.leave() })
  }
}
