public import Synchronization

/// The interface through which streams and sequences read from an observer. The conforming types do
/// the locking.
@usableFromInline
protocol ElementObserver<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable

  /// Reads an element if one is available now.
  ///
  /// - Parameter parking: The waiter with which the caller has just waited, if any. It becomes free
  ///   for the next wait.
  func poll(after parking: Parking) -> Poll<Element>

  /// How the next read begins, as the last read suggests. Each way finds an element that is
  /// available.
  var readStart: ReadStart { get set }

  /// Registers `continuation`, which is resumed when there may be something to read.
  ///
  /// Returns ``Parking/none`` if there is already something to read, or if the observation has
  /// ended. In these cases, `continuation` is not stored, and the caller must resume it.
  func park(_ continuation: UnsafeContinuation<Void, Never>) -> Parking

  /// Ends the observation: resumes the waiting readers, and makes every later poll return
  /// ``Poll/ended``.
  ///
  /// Call this method on any thread, any number of times.
  func leave()
}

/// How a read begins.
@usableFromInline
enum ReadStart: UInt8, AtomicRepresentable, Sendable {
  /// With a poll.
  case poll
  /// With ``ElementObserver/park(_:)``, because the last read had to wait. If an element is already
  /// available, such a read only takes a little longer.
  case park
  /// With a turn for other tasks, because the reader of a state is slower than the sender.
  ///
  /// If the reader competed with the sender for the lock, each value would cost the sender several
  /// times as much. A reader on an actor begins with a poll nevertheless: its turn would depend on
  /// a free thread of the pool.
  case yield
}

/// The result of a read that does not wait.
@usableFromInline
package enum Poll<Element> {
  case element(Element)
  case nothing
  case ended
}

extension Poll: Sendable where Element: Sendable {}

extension ElementObserver {
  /// Returns the next element, or `nil` after the observation has ended. If the task is cancelled,
  /// the caller must call ``leave()``.
  @export(implementation) @inline(__always)
  func next(isolation: isolated (any Actor)?) async -> Element? {
    if beginsWithPoll(on: isolation) {
      switch poll(after: .none) {
      case .element(let element): return element
      case .ended: return nil
      case .nothing: break
      }
    }
    return await nextAfterSuspending(isolation: isolation)
  }

  @export(implementation) @inline(__always)
  func beginsWithPoll(on isolation: (any Actor)?) -> Bool {
    switch readStart {
    case .poll: true
    case .park: false
    case .yield: isolation != nil
    }
  }

  /// Reads an element if one is available now, and ends the observation if the task is cancelled.
  ///
  /// If the read must not begin with a poll, this function returns ``Poll/nothing``. The caller
  /// then suspends.
  ///
  /// For callers that have no cancellation handler.
  @export(implementation) @inline(__always)
  func readUnlessCancelled(on isolation: (any Actor)?) -> Poll<Element> {
    if Task.isCancelled {
      leave()
      return .ended
    }
    return beginsWithPoll(on: isolation) ? poll(after: .none) : .nothing
  }

  /// Waits for the next element, and ends the observation if the task is cancelled.
  ///
  /// For callers that have no cancellation handler.
  @export(implementation) @inline(__always)
  func waitUnlessCancelled(isolation: isolated (any Actor)?) async -> Element? {
    await withTaskCancellationHandler {
      await nextAfterSuspending(isolation: isolation)
    } onCancel: {
      leave()
    }
  }

  /// Suspends and polls until there is an element or the observation has ended.
  @export(implementation) @inline(__always)
  func nextAfterSuspending(isolation: isolated (any Actor)?) async -> Element? {
    var found = Poll<Element>.nothing
    if isolation == nil, readStart == .yield {
      await Self.giveWay()
      found = poll(after: .none)
    }
    while case .nothing = found {
      var parking = Parking.none
      unsafe await withUnsafeContinuation(isolation: isolation) { continuation in
        parking = unsafe park(continuation)
        if case .none = parking { unsafe continuation.resume() }
      }
      readStart = if case .none = parking { .poll } else { .park }
      found = poll(after: parking)
    }
    return if case .element(let element) = found { element } else { nil }
  }

  /// Continues after tasks that are ready to run.
  @usableFromInline
  static func giveWay() async {
    #if canImport(Darwin)
      // There, a task that calls `Task.yield()` would leave a simulated world, which fails the
      // simulation.
      await Task.detached {}.value
    #else
      await Task.yield()
    #endif
  }

  /// Runs `body` for every element, with one cancellation handler for the whole loop.
  @export(implementation)
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

  /// Runs a synchronous `body` for every element, with one cancellation handler for the whole loop.
  ///
  /// A call of `body` needs no async frame and no executor check.
  @export(implementation)
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

  /// Returns a stream of the elements. `AsyncStream` has its own cancellation handler, so this
  /// method installs none.
  @export(implementation)
  func makeStream() -> AsyncStream<Element> {
    AsyncStream(unfolding: { await self.next(isolation: nil) }, onCancel: { self.leave() })
  }

  /// Returns a stream of the transformed elements without consecutive duplicates.
  @export(implementation)
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

/// The last element that a stream without consecutive duplicates has yielded.
@usableFromInline
final class LastElement<Element: Equatable & Sendable>: Sendable {
  @usableFromInline let element = Mutex<Element?>(nil)

  @export(implementation) init() {}

  /// Stores `new` and returns `true`, or returns `false` if `new` equals the stored element.
  @export(implementation)
  func changes(to new: Element) -> Bool {
    guard element.withLock({ $0 }) != new else { return false }
    element.exchange(new)
    return true
  }
}
