#if canImport(Combine)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Combine
  import Testing

  @Suite("Combine: the stream of a publisher", .timeLimit(.minutes(5)), .endsWaits)
  struct PublisherStreamTests {
    private struct Offline: Error, Equatable {}

    @Test("a stream contains the values that a subject sends before and between reads, then ends")
    func noValueIsLost() async {
      let subject = PassthroughSubject<Int, Never>()
      let stream = subject.stream()
      subject.send(1)
      var iterator = stream.makeAsyncIterator()
      #expect(await iterator.next() == 1)
      for value in 2...100 { subject.send(value) }
      subject.send(completion: .finished)
      var rest: [Int] = []
      while let value = await iterator.next() { rest.append(value) }
      #expect(rest == Array(2...100))
    }

    @Test("a stream with the policy `.latest` skips to the latest value")
    func latest() async {
      let subject = CurrentValueSubject<Int, Never>(0)
      let stream = subject.stream(.latest)
      for value in 1...5 { subject.send(value) }
      var iterator = stream.makeAsyncIterator()
      #expect(await iterator.next() == 5)
    }

    @Test("a publisher that sends and completes while it is subscribed gives a whole stream")
    func synchronousPublisher() async {
      var values: [Int] = []
      for await value in [1, 2, 3].publisher.stream() { values.append(value) }
      #expect(values == [1, 2, 3])
      for await value in Empty<Int, Never>().stream() { values.append(value) }
      #expect(values == [1, 2, 3])
    }

    @Test("the error of a publisher is thrown once, after the unread values")
    func failure() async throws {
      let subject = PassthroughSubject<Int, any Error>()
      let stream = subject.stream()
      subject.send(1)
      subject.send(completion: .failure(Offline()))
      var values: [Int] = []
      await #expect(throws: Offline()) { for try await value in stream { values.append(value) } }
      #expect(values == [1])
      for try await value in stream { Issue.record("received \(value) after the error") }
    }

    @Test("a stream of a publisher that can fail ends with the publisher")
    func success() async throws {
      let subject = PassthroughSubject<Int, any Error>()
      let stream = subject.stream()
      subject.send(1)
      subject.send(completion: .finished)
      var values: [Int] = []
      for try await value in stream { values.append(value) }
      #expect(values == [1])
    }

    @Test("releasing the stream or cancelling its reader cancels the subscription", arguments: [true, false])
    func cancellation(releases: Bool) async throws {
      let cancelled = Tally()
      let subject = PassthroughSubject<Int, Never>()
      do {
        let stream = subject.handleEvents(receiveCancel: { cancelled.increment() }).stream()
        if !releases {
          let reader = Task { for await _ in stream {} }
          reader.cancel()
          await reader.value
        }
        withExtendedLifetime(stream) {}
      }
      try await until { cancelled.count == 1 }
      subject.send(1)
    }

    @Test(
      "a stream that was made on the main thread cancels its subscription there", arguments: [true, false])
    @MainActor
    func cancellationOnTheMainThread(releases: Bool) async throws {
      let cancelled = Tally()
      let subject = PassthroughSubject<Int, Never>()
      do {
        // This closure belongs to the main actor.
        let stream = subject.handleEvents(receiveCancel: {
          MainActor.assertIsolated()
          cancelled.increment()
        }).stream()
        if !releases {
          let reader = Task { for await _ in stream {} }
          await Task.yield()
          reader.cancel()
          await reader.value
        }
        withExtendedLifetime(stream) {}
      }
      try await until { cancelled.count == 1 }
    }

    @Test("a stream does not subscribe twice, even if a publisher hands out a second subscription")
    func secondSubscription() async {
      let first = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      let stream = Doubled(first: first, second: second).stream()
      first.send(1)
      second.send(2)
      first.send(completion: .finished)
      var values: [Int] = []
      for await value in stream { values.append(value) }
      #expect(values == [1])
    }

    @Test("`@Published` publishes a value before the property has it, and a stream yields the new value")
    func published() async {
      let field = Field()
      let seen = Notes()
      let subscription = field.$text.sink { seen.add("\($0) while the property is \(field.text)") }
      let stream = field.$text.stream()
      field.text = "milk"
      #expect(seen.all.last == "milk while the property is bread")
      var iterator = stream.makeAsyncIterator()
      #expect(await iterator.next() == "bread")
      #expect(await iterator.next() == "milk")
      withExtendedLifetime(subscription) {}
    }

    @Test("a state that goes through Combine and back arrives complete and in order")
    func roundTrip() async {
      let state = StateStore(0)
      let stream = state.publisher(.unbounded).stream()
      for value in 1...1_000 { state.send(value) }
      state.finish()
      var values: [Int] = []
      for await value in stream { values.append(value) }
      #expect(values == Array(0...1_000))
    }
  }

  private final class Field: ObservableObject {
    @Published var text = "bread"
  }

  /// Breaks Combine's rules: it gives its subscriber two subscriptions.
  private struct Doubled: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let first, second: PassthroughSubject<Int, Never>

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Int, Downstream.Failure == Never {
      first.receive(subscriber: subscriber)
      second.receive(subscriber: subscriber)
    }
  }
#endif
