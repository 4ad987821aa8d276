#if canImport(Combine)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Combine
  import Testing

  @Suite("Combine: the publisher of events", .timeLimit(.minutes(5)), .endsWaits)
  struct EventPublisherTests {
    private typealias Recorder = RecordingSubscriber<Int, Never>

    private let channel = EventChannel<Int>()

    @Test("each subscriber receives each event once, in order, from its subscription on")
    func broadcast() async throws {
      channel.send(0)
      let recorders = [Recorder(requesting: .unlimited), Recorder(requesting: .unlimited)]
      for recorder in recorders { channel.publisher().subscribe(recorder) }
      for event in 1...100 { channel.send(event) }
      channel.finish()
      for recorder in recorders {
        try await until { recorder.completions == 1 }
        #expect(recorder.values == Array(1...100))
      }
    }

    @Test("events wait for requests")
    func demand() async throws {
      let recorder = Recorder()
      channel.publisher().subscribe(recorder)
      for event in 1...3 { channel.send(event) }
      channel.finish()
      for count in 1...3 {
        for _ in 0..<10 { await Task.detached {}.value }
        #expect(recorder.values.count == count - 1)
        #expect(recorder.completions == 0)
        recorder.request(.max(1))
        #expect(recorder.values == Array(1...count))
      }
      #expect(recorder.completions == 1)
    }

    @Test("without a request, a subscriber of a channel that has ended completes")
    func completionWithoutDemand() async throws {
      let recorder = Recorder()
      channel.publisher().subscribe(recorder)
      channel.finish()
      try await until { recorder.completions == 1 }
    }

    @Test(
      "a subscriber without demand has the events that its policy keeps",
      arguments: [(BufferingPolicy.latest, [5]), (.bounded(2), [4, 5])])
    func bounded(policy: BufferingPolicy, kept: [Int]) async throws {
      let recorder = Recorder()
      channel.publisher(policy).subscribe(recorder)
      for event in 1...5 {
        channel.send(event)
        await Task.detached {}.value
      }
      recorder.request(.unlimited)
      try await until { recorder.values == kept }
    }

    @Test("the first subscriber receives a kept event")
    func keptEvent() async throws {
      channel.keepForFirstObserver(1)
      let first = Recorder(requesting: .unlimited)
      channel.publisher().subscribe(first)
      #expect(first.values == [1])
      let second = Recorder(requesting: .unlimited)
      channel.publisher().subscribe(second)
      channel.send(2)
      try await until { first.values == [1, 2] && second.values == [2] }
    }

    @Test("a kept event comes before the completion, although it was not requested before the end")
    func keptEventBeforeTheEnd() async throws {
      let idle = Recorder()
      channel.publisher().subscribe(idle)
      channel.keepForFirstObserver(1)
      channel.finish()
      for _ in 0..<10 { await Task.detached {}.value }
      #expect(idle.completions == 0)
      idle.request(.max(1))
      #expect(idle.values == [1])
      try await until { idle.completions == 1 }
    }

    @Test("a subscriber without demand leaves a kept event to the next subscriber")
    func keptEventWithoutDemand() async throws {
      let idle = Recorder()
      channel.publisher().subscribe(idle)
      channel.keepForFirstObserver(1)
      for _ in 0..<10 { await Task.detached {}.value }
      let next = Recorder(requesting: .unlimited)
      channel.publisher().subscribe(next)
      #expect(next.values == [1])
      idle.request(.unlimited)
      channel.finish()
      try await until { idle.completions == 1 }
      #expect(idle.values == [])
    }

    @Test("if a cancellation races with a kept event, the event is received or returns to its channel")
    func racingCancellation() async throws {
      var numbers = SplitMix64(seed: 1)
      let spun = Tally()
      for _ in 0..<10_000 {
        let channel = EventChannel<Int>()
        let recorder = Recorder(requesting: .max(1))
        channel.publisher().subscribe(recorder)
        try await until { channel.waitingCount == 1 }
        let spins = Int.random(in: 0..<1_500, using: &numbers)
        channel.keepForFirstObserver(1)
        // Meanwhile, the task of the subscription reads the event on another thread.
        for _ in 0..<spins { spun.increment() }
        recorder.cancel()
        try await until { recorder.values.count + channel.keptCount == 1 }
      }
    }
  }
#endif
