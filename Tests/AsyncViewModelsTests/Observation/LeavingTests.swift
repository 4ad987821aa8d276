import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

/// A loop that is cancelled between two reads leaves a stream that is kept elsewhere, also below other sequences.
@Suite("Leaving a stream that is kept elsewhere", .timeLimit(.minutes(5)), .endsWaits)
struct LeavingTests {
  /// A sequence that another sequence reads from.
  enum Wrapper: CaseIterable {
    case none, filter, map, twice, debounced, throttled, custom

    func wrap<Base: AsyncSequence<Int, Never> & Sendable>(
      _ base: Base
    ) -> any AsyncSequence<Int, Never> & Sendable {
      switch self {
      case .none: base
      case .filter: base.filter { $0 > 0 }
      case .map: base.map { $0 + 1 }
      case .twice: base.prefix(100).compactMap { $0 }
      case .debounced: base.debounced(for: .zero)
      case .throttled: base.throttled(for: .zero)
      case .custom: Custom(base: base)
      }
    }
  }

  private actor Owner {}

  private let channel = EventChannel<Int>()
  private let captured = LeakTracker()
  private let gate = Gate()

  @Test(
    "an observer that is cancelled in its body leaves the stream, whatever lies between them",
    arguments: Wrapper.allCases)
  func cancelledInItsBody(wrapper: Wrapper) async throws {
    let (plain, input) = AsyncStream.makeStream(of: Int.self)
    let terminated = Gate()
    input.onTermination = { _ in terminated.open() }
    let (stream, values, owner) = (channel.stream(), channel.events(), Owner())
    func observe() -> [CancellationToken] {
      let object = captured.track(Reentrant(0))
      return [wrapper.wrap(stream), wrapper.wrap(values), wrapper.wrap(plain)].map { sequence in
        sequence.observe(on: owner) { [gate] _, _ in
          await gate.wait()
          withExtendedLifetime(object) {}
        }
      }
    }
    let tokens = observe()
    channel.send(1)
    input.yield(1)
    await gate.waitForArrivals(3)
    for token in tokens { token.cancel() }
    gate.open()
    // The tasks have ended.
    try await captured.assertAllReleased()
    #expect(channel.observerCount == 0)
    #expect(terminated.isOpen)
    withExtendedLifetime((stream, values, plain)) {}
  }

  @Test("an observer that is cancelled in its body does not read a sequence that ignores cancellation")
  func ignoringCancellation() async throws {
    struct Endless: AsyncSequence, AsyncIteratorProtocol {
      let reads: Gate
      mutating func next() async -> Int? { await next(isolation: nil) }
      mutating func next(isolation: isolated (any Actor)?) async -> Int? {
        await reads.wait()
        return 1
      }
      func makeAsyncIterator() -> Endless { self }
    }
    let (reads, owner) = (Gate(isOpen: true), Owner())
    func observe() -> CancellationToken {
      let object = captured.track(Reentrant(0))
      return Endless(reads: reads).map { $0 }.observe(on: owner) { [gate] _, _ in
        await gate.wait()
        withExtendedLifetime(object) {}
      }
    }
    let token = observe()
    await gate.waitForArrivals(1)
    token.cancel()
    gate.open()
    try await captured.assertAllReleased()
    #expect(reads.arrivalCount == 1)
  }
}

/// A sequence with its own iterator type.
private struct Custom<Base: AsyncSequence<Int, Never> & Sendable>: AsyncSequence, Sendable {
  let base: Base

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: Base.AsyncIterator

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      await base.next(isolation: actor)
    }

    mutating func next() async -> Int? { await next(isolation: #isolation) }
  }

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }
}
