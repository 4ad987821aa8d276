#if canImport(Combine)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Combine
  import Dispatch
  import Foundation
  import Synchronization
  import Testing

  @Suite("Combine: the publisher of a state", .timeLimit(.minutes(5)), .endsWaits)
  struct StatePublisherTests {
    private typealias Recorder = RecordingSubscriber<Int, Never>

    private let state = StateStore(0)

    @Test("a subscriber has the current value when `sink` returns, and later receives the latest value")
    func currentValueFirst() async throws {
      state.send(1)
      let values = Received<Int>()
      let subscription = state.publisher().sink { values.add($0) }
      #expect(values.all == [1])
      state.send(2)
      try await until { values.all == [1, 2] }
      withExtendedLifetime(subscription) {}
    }

    @Test(
      "a subscriber without a request receives nothing, and then the value that is current at its request")
    func valueOfTheRequest() async throws {
      let recorder = Recorder()
      state.publisher().subscribe(recorder)
      for value in 1...5 {
        state.send(value)
        await Task.detached {}.value
      }
      #expect(recorder.values == [])
      recorder.request(.max(1))
      #expect(recorder.values == [5])
      recorder.request(.max(1))
      #expect(recorder.values == [5])
      state.send(6)
      try await until { recorder.values == [5, 6] }
    }

    @Test("a subscriber receives no more values than it has requested, in calls and by their results")
    func demand() async throws {
      let recorder = Recorder(requesting: .max(2)) { value, _ in value == 2 ? .max(1) : .none }
      state.publisher(.unbounded).subscribe(recorder)
      for value in 1...9 { state.send(value) }
      try await until { recorder.values == [0, 1] }
      recorder.request(.max(1))
      try await until { recorder.values == [0, 1, 2, 3] }
      recorder.request(.max(2))
      try await until { recorder.values == [0, 1, 2, 3, 4, 5] }
      recorder.request(.unlimited)
      try await until { recorder.values == Array(0...9) }
    }

    @Test("a request within a call is fulfilled after the call, without recursion")
    func reentrantRequest() async throws {
      let recorder = Recorder(requesting: .max(1)) { _, subscription in
        subscription.request(.max(1))
        return .none
      }
      state.publisher(.unbounded).subscribe(recorder)
      for value in 1...100_000 { state.send(value) }
      try await until { recorder.values.count == 100_001 }
      #expect(recorder.values == Array(0...100_000))
      #expect(recorder.overlaps == 0)
    }

    @Test("a subscriber can change the state within a call")
    func reentrantSend() async throws {
      let recorder = Recorder(requesting: .unlimited) { [state] value, _ in
        if value < 5 { state.send(value + 1) }
        return .none
      }
      state.publisher().subscribe(recorder)
      try await until { recorder.values == [0, 1, 2, 3, 4, 5] }
    }

    @Test("a subscription returns although the state changes all the time, and its subscriber is slow")
    func busySender() async throws {
      let (subscribing, within) = (Holder<ObjectIdentifier>(), Tally())
      let recorder = Recorder(requesting: .unlimited) { [state] value, _ in
        if subscribing.value == ObjectIdentifier(Thread.current) { within.increment() }
        if value < 1_000 { state.send(value + 1) }
        return .none
      }
      subscribe(recorder, noting: subscribing)
      #expect(within.count == 1, "one value on this thread, and the others in a task")
      #expect(recorder.values.first == 0)
      try await until { recorder.values.last == 1_000 }
    }

    /// Subscribes. Until it returns, `thread` contains the calling thread.
    private func subscribe(_ recorder: Recorder, noting thread: Holder<ObjectIdentifier>) {
      thread.set(ObjectIdentifier(Thread.current))
      state.publisher().subscribe(recorder)
      thread.clear()
    }

    @Test("no value overtakes the call of `receive(subscription:)`")
    func noOvertaking() async throws {
      for _ in 0..<200 {
        let state = StateStore(0)
        let subscriber = LateSubscriber(of: state)
        state.publisher().subscribe(subscriber)
        #expect(subscriber.early == 0)
        try await until { subscriber.received > 0 }
        state.finish()
      }
    }

    @Test("the completion follows the last value")
    func completion() async throws {
      let recorder = Recorder(requesting: .unlimited)
      state.publisher().subscribe(recorder)
      state.send(1)
      state.finish()
      try await until { recorder.completions == 1 }
      #expect(recorder.values.last == 1)
      #expect(state.observerCount == 0)
    }

    @Test("the completion needs no demand, unless a value is unread")
    func completionWithoutDemand() async throws {
      let upToDate = Recorder(requesting: .max(1))
      state.publisher().subscribe(upToDate)
      #expect(upToDate.values == [0])
      let behind = Recorder()
      state.publisher().subscribe(behind)
      state.finish()
      try await until { upToDate.completions == 1 }
      #expect(behind.completions == 0)
      behind.request(.max(1))
      #expect(behind.values == [0])
      #expect(behind.completions == 1)
      behind.request(.max(1))
      #expect((upToDate.completions, behind.completions) == (1, 1))
    }

    @Test(
      "the completion needs no demand, also after a request has read the value that ended the wait for it")
    func completionAfterARequest() async throws {
      for _ in 0..<300 {
        let state = StateStore(0)
        let recorder = Recorder(requesting: .max(1))
        state.publisher().subscribe(recorder)
        try await until { state.waitingCount == 1 }
        state.send(1)
        recorder.request(.max(1))
        #expect(recorder.values == [0, 1])
        await Task.detached {}.value
        state.finish()
        try await until { recorder.completions == 1 }
      }
    }

    @Test("a subscriber of a deallocated state receives the last value and the completion")
    func deallocation() async throws {
      var state: StateStore<Int>? = StateStore(7)
      let publisher = try #require(state).publisher()
      let early = Recorder(requesting: .unlimited)
      publisher.subscribe(early)
      state = nil
      try await until { early.completions == 1 }
      let late = Recorder(requesting: .unlimited)
      publisher.subscribe(late)
      #expect((early.values, late.values) == ([7], [7]))
      #expect(late.completions == 1)
    }

    @Test("after a cancellation, the subscriber is not called and the observer has left")
    func cancellation() async throws {
      let recorder = Recorder(requesting: .unlimited)
      state.publisher().subscribe(recorder)
      #expect(state.observerCount == 1)
      recorder.cancel()
      #expect(state.observerCount == 0)
      state.send(1)
      recorder.request(.unlimited)
      recorder.cancel()
      for _ in 0..<10 { await Task.detached {}.value }
      #expect(recorder.values == [0])
      #expect(recorder.completions == 0)
    }

    @Test("a subscriber can cancel within a call")
    func cancellationInACall() async throws {
      let recorder = Recorder(requesting: .unlimited) { value, subscription in
        if value == 1 { subscription.cancel() }
        return .unlimited
      }
      state.publisher(.unbounded).subscribe(recorder)
      for value in 1...3 { state.send(value) }
      try await until { state.observerCount == 0 }
      #expect(recorder.values == [0, 1])
      #expect(recorder.completions == 0)
    }

    @Test("releasing the result of `sink` cancels the subscription")
    func releasedCancellable() {
      var subscription: AnyCancellable? = state.publisher().sink { _ in }
      #expect(state.observerCount == 1)
      withExtendedLifetime(subscription) {}
      subscription = nil
      #expect(state.observerCount == 0)
    }

    @Test("the calls of a subscriber never overlap, and its last value is the newest one")
    func concurrency() async throws {
      for _ in 0..<50 {
        let state = StateStore(0)
        let recorder = Recorder(requesting: .max(1)) { _, _ in .max(1) }
        state.publisher().subscribe(recorder)
        await withTaskGroup { group in
          for _ in 0..<2 {
            group.addTask { for _ in 0..<200 { state.update { $0 += 1 } } }
            group.addTask { for _ in 0..<50 { recorder.request(.max(1)) } }
          }
        }
        try await until { recorder.values.last == 400 }
        #expect(recorder.values == recorder.values.sorted())
        #expect(recorder.overlaps == 0)
        recorder.cancel()
      }
    }

    @Test("a cancellation that races with changes ends the calls")
    func racingCancellation() async throws {
      for round in 0..<500 {
        let state = StateStore(0)
        let recorder = Recorder(requesting: .unlimited)
        state.publisher().subscribe(recorder)
        async let sending: Void = { for value in 1...20 { state.send(value) } }()
        for _ in 0..<(round % 5) { await Task.yield() }
        recorder.cancel()
        #expect(state.observerCount == 0)
        await sending
      }
    }

    @Test("operators of Combine work with the publisher")
    func operators() async throws {
      let even = Received<Int>()
      let pairs = Received<String>()
      let other = StateStore("a")
      var subscriptions: Set<AnyCancellable> = []
      state.publisher(.unbounded).filter { $0.isMultiple(of: 2) }.removeDuplicates().prefix(3)
        .sink { even.add($0) }.store(in: &subscriptions)
      state.publisher(.unbounded).zip(other.publisher(.unbounded)).map { "\($0)\($1)" }
        .sink { pairs.add($0) }.store(in: &subscriptions)
      for value in [1, 2, 2, 3, 4, 6] { state.send(value) }
      other.send("b")
      try await until { even.all == [0, 2, 4] && pairs.all == ["0a", "1b"] }
      try await until { state.observerCount == 1 }
    }

    @Test("`flatMap` with a limit requests one value at a time")
    func flatMap() async throws {
      let values = Received<Int>()
      let subscription = state.publisher(.unbounded)
        .flatMap(maxPublishers: .max(1)) { value in Just(value * 10) }
        .sink { values.add($0) }
      for value in 1...100 { state.send(value) }
      try await until { values.all == (0...100).map { $0 * 10 } }
      withExtendedLifetime(subscription) {}
    }

    @Test("the subscription of a view model's states does not keep the view model alive")
    func ownership() async throws {
      let values = Received<Int>()
      var subscription: AnyCancellable?
      try await LeakTracker.check { tracker in
        let model = tracker.track(CountingModel())
        subscription = model.publisher().sink { values.add($0) }
        model.store.send(1)
        try await until { values.all.last == 1 }
      }
      withExtendedLifetime(subscription) {}
    }

    @Test("a cancelled or completed subscription releases its subscriber", arguments: [true, false])
    func releasedSubscriber(cancels: Bool) async throws {
      try await LeakTracker.check { tracker in
        let recorder = tracker.track(Recorder(requesting: .unlimited))
        state.publisher().subscribe(recorder)
        if cancels { recorder.cancel() } else { state.finish() }
        try await until { cancels || recorder.completions == 1 }
      }
    }

    @Test("a token can be stored with subscriptions, and a subscription can end with a token")
    func tokens() {
      let cancelled = Tally()
      var subscriptions: Set<AnyCancellable> = []
      CancellationToken { cancelled.increment() }.store(in: &subscriptions)
      #expect(cancelled.count == 0)
      subscriptions = []
      #expect(cancelled.count == 1)
      let token = CancellationToken(state.publisher().sink { _ in })
      #expect(state.observerCount == 1)
      token.cancel()
      #expect(state.observerCount == 0)
    }
  }

  /// Requests within `receive(subscription:)`, changes the state, and then notes how often it was called until the end of
  /// that method.
  private final class LateSubscriber: Subscriber, Sendable {
    private let state: StateStore<Int>
    private let calls = Tally()
    private let noted = Mutex(-1)

    init(of state: StateStore<Int>) { self.state = state }

    var received: Int { calls.count }
    var early: Int { noted.withLock { $0 } }

    func receive(subscription: any Combine.Subscription) {
      subscription.request(.unlimited)
      for value in 1...50 { state.send(value) }
      noted.withLock { $0 = calls.count }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      calls.increment()
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
  }

  private final class CountingModel: StateSource {
    let store = StateStore(0)
  }

  private final class Received<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    var all: [Value] { values.withLock { $0 } }
    func add(_ value: Value) { values.withLock { $0.append(value) } }
  }
#endif
