import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization

/// A source that tells its feeder when an element has been dealt with: when the reader comes back for the next.
///
/// A test that moves time after ``feed(_:)`` thus knows that the element was seen before time moved.
final class HandFedSource<Element: Sendable>: AsyncSequence, Sendable {
  struct Failed: Error, Equatable {}

  let wasLeft = Gate()
  private let stream: AsyncThrowingStream<Element, any Error>
  private let input: AsyncThrowingStream<Element, any Error>.Continuation
  private let questions = Gate(isOpen: true)
  private let fed = Atomic(0)

  init() {
    (stream, input) = AsyncThrowingStream.makeStream()
    input.onTermination = { [wasLeft] _ in wasLeft.open() }
  }

  /// Gives the element, and returns when the reader asks for another. One task may feed.
  func feed(_ element: Element) async {
    let count = fed.wrappingAdd(1, ordering: .relaxed).newValue
    input.yield(element)
    await questions.waitForArrivals(count + 1)
  }

  /// Returns when the reader is there.
  func waitForReader() async { await questions.waitForArrivals(1) }

  func finish() { input.finish() }

  func fail() { input.finish(throwing: Failed()) }

  func makeAsyncIterator() -> Iterator {
    Iterator(base: stream.makeAsyncIterator(), questions: questions)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncThrowingStream<Element, any Error>.Iterator
    fileprivate let questions: Gate

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      await questions.wait()
      return try await base.next(isolation: actor)
    }
  }
}
