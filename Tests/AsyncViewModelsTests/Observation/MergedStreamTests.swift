import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

@Suite("Merged streams", .timeLimit(.minutes(5)), .endsWaits)
struct MergedStreamTests {
  private let first = EventChannel<Int>()
  private let second = EventChannel<Int>()

  /// Sends to a channel whose only observer waits, and returns when that observer waits again.
  private func send(_ event: Int, to channel: EventChannel<Int>) async throws {
    try await until { channel.waitingCount == 1 }
    channel.send(event)
    try await until { channel.waitingCount == 1 }
  }

  @Test("elements come in the order of their arrival, and the stream ends when all inputs have ended")
  func order() async throws {
    let merged = AsyncStream(merging: first.events(), second.stream(), AsyncStream<Int> { $0.finish() })
    for number in 1...6 { try await send(number, to: number % 3 == 0 ? second : first) }
    first.finish()
    try await send(7, to: second)
    second.finish()
    #expect(await merged.rest() == Array(1...7))
  }

  @Test("a waiting reader receives each element")
  func waitingReader() async throws {
    let recorder = StateRecorder(AsyncStream(merging: first.events(), second.stream()))
    for number in 1...4 {
      try await send(number, to: number % 2 == 0 ? second : first)
      try await recorder.waitForStates(number)
    }
    first.finish()
    second.finish()
    #expect(try await recorder.waitForEnd() == [1, 2, 3, 4])
  }

  @Test(
    "one buffering policy applies to the unread elements of all inputs together",
    arguments: [
      (BufferingPolicy.latest, [5]), (.bounded(2, dropping: .oldest), [4, 5]),
      (.bounded(2, dropping: .newest), [1, 2]), (.unbounded, [1, 2, 3, 4, 5]),
    ])
  func buffering(_ buffering: BufferingPolicy, expected: [Int]) async throws {
    let merged = AsyncStream(merging: first.events(), second.events(), buffering: buffering)
    for number in 1...5 { try await send(number, to: number % 2 == 0 ? second : first) }
    first.finish()
    second.finish()
    #expect(await merged.rest() == expected)
  }

  @Test("if the reader is cancelled, the stream stops reading its inputs at once")
  func cancellation() async throws {
    let seen = Gate(isOpen: true)
    let merged = AsyncStream(merging: first.events(), second.stream())
    let reader = Task {
      for await _ in merged { await seen.wait() }
    }
    try await send(1, to: first)
    try await until { second.waitingCount == 1 }
    await seen.waitForArrivals(1)
    reader.cancel()
    // The reader can still be on its way to the next element.
    await reader.value
    #expect((first.observerCount, second.observerCount) == (0, 0))
    #expect(await merged.rest() == [])
  }

  @Test(
    "if the reader leaves the loop or drops an unread stream, the stream stops reading its inputs",
    .enabled(if: LiveObjects.areCounted))
  func leaving() async throws {
    let (one, two) = (ObservableState(1), ObservableState(1))
    try await LiveObjects.assertNothingLives {
      func readOne() async {
        for await number in AsyncStream(merging: one.values(), two.states()) {
          #expect(number == 1)
          break
        }
      }
      await readOne()
      do { _ = AsyncStream(merging: one.values(), two.states()) }
    }
    #expect((one.observerCount, two.observerCount) == (0, 0))
  }

  @Test("the stream keeps neither the owners of its inputs nor elements that were read or dropped")
  func ownership() async throws {
    let (owners, elements) = (LeakTracker(), LeakTracker())
    let merged: AsyncStream<Reentrant>
    do {
      let state = owners.track(ObservableState(elements.track(Reentrant(0))))
      let channel = owners.track(EventChannel<Reentrant>())
      merged = AsyncStream(merging: state.values(), channel.stream(), buffering: .latest)
      try await until { state.waitingCount == 1 && channel.waitingCount == 1 }
      for number in 1...3 {
        channel.send(elements.track(Reentrant(number)))
        try await until { channel.waitingCount == 1 }
      }
    }
    try await owners.assertAllReleased()
    #expect(await merged.next()?.number == 3)
    #expect(await merged.rest().isEmpty)
    try await elements.assertAllReleased()
    withExtendedLifetime(merged) {}
  }

  @Test("the deinit of a dropped element may send to an input and drop the stream")
  func reentrantDeinit() async throws {
    let values = EventChannel<Reentrant>()
    let holder = Holder<AsyncStream<Reentrant>>()
    holder.set(AsyncStream(merging: values.events(), EventChannel().events(), buffering: .latest))
    for number in 1...3 {
      try await until { values.waitingCount == 1 || values.observerCount == 0 }
      values.send(
        Reentrant(number) {
          if number == 1 { values.send(Reentrant(4)) } else { holder.clear() }
        })
    }
    try await until { values.observerCount == 0 }
  }

  @Test("if senders race, no element is lost or comes twice, and each input keeps its order")
  func race() async throws {
    for _ in 0..<300 {
      let channels = (0..<3).map { _ in EventChannel<Int>() }
      let merged = AsyncStream(merging: channels[0].events(), channels[1].stream(), channels[2].events())
      let reader = Task { await merged.rest() }
      DispatchQueue.concurrentPerform(iterations: 3) { sender in
        for number in 0..<20 { channels[sender].send(number * 3 + sender) }
        channels[sender].finish()
      }
      let seen = await reader.value
      #expect(seen.sorted() == Array(0..<60))
      for sender in 0..<3 {
        #expect(seen.filter { $0 % 3 == sender } == (0..<20).map { $0 * 3 + sender })
      }
    }
  }

  @Test(
    "if sends, finishes and a cancellation race, no observer and no task remains",
    .enabled(if: LiveObjects.areCounted))
  func cancelRace() async throws {
    try await LiveObjects.assertNothingLives {
      for round in 0..<1_000 {
        let (one, two) = (ObservableState(0), EventChannel<Int>())
        let merged = AsyncStream(merging: one.values(), two.stream())
        let reader = Task { for await _ in merged {} }
        if round % 2 == 0 { await Task.yield() }
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
          switch thread {
          case 0: for number in 1...3 { one.send(number) }
          case 1: two.send(round)
          default: reader.cancel()
          }
          if thread == 1, round % 3 == 0 { two.finish() }
        }
        await reader.value
        try await until { one.observerCount == 0 && two.observerCount == 0 }
      }
    }
  }
}
