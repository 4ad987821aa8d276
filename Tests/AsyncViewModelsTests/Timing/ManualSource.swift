import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import ToolkitTestSupport

/// A source that tells its sender when the reader has handled an element and asks for the next one.
///
/// If a test advances time after ``send(_:)`` has returned, the reader has already handled the element.
final class ManualSource<Element: Sendable>: AsyncSequence, Sendable {
  struct Failed: Error, Equatable {}

  let termination = Gate()
  private let stream: AsyncThrowingStream<Element, any Error>
  private let input: AsyncThrowingStream<Element, any Error>.Continuation
  private let requests = Gate(isOpen: true)
  private let sentCount = Atomic(0)

  init() {
    (stream, input) = AsyncThrowingStream.makeStream()
    input.onTermination = { [termination] _ in termination.open() }
  }

  /// Sends the element, and returns when the reader asks for the next one. Only one task may send.
  func send(_ element: Element) async {
    let count = sentCount.wrappingAdd(1, ordering: .relaxed).newValue
    input.yield(element)
    await requests.waitForArrivals(count + 1)
  }

  /// Returns when the reader has asked for the first element.
  func waitForReader() async { await requests.waitForArrivals(1) }

  func finish() { input.finish() }

  func fail() { input.finish(throwing: Failed()) }

  func makeAsyncIterator() -> Iterator {
    Iterator(base: stream.makeAsyncIterator(), requests: requests)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncThrowingStream<Element, any Error>.Iterator
    fileprivate let requests: Gate

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      await requests.wait()
      return try await base.next(isolation: actor)
    }
  }
}
