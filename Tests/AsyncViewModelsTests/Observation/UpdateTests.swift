import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Foundation
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("StateStore: update", .timeLimit(.minutes(5)), .endsWaits)
struct UpdateTests {
  @Test("an update runs its body once and returns its result")
  func runsOnce() {
    let state = StateStore([1])
    var runs = 0
    let count = state.update { value in
      runs += 1
      value.append(2)
      return value.count
    }
    #expect((runs, count) == (1, 2))
    #expect(state.value == [1, 2])
  }

  @Test(
    "observers see the result of an update and never a value in between", arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func publishesOnce(form: ObserverForm, buffering: BufferingPolicy) async throws {
    let state = StateStore(0)
    let recorder = StateRecorder(form.observe(state, buffering))
    try await until { state.waitingCount == 1 }
    state.update { value in for _ in 1...10 { value += 1 } }
    try await until { state.waitingCount == 1 }
    state.finish()
    #expect(try await recorder.waitForEnd() == [0, 10])
  }

  @Test("concurrent updates lose nothing")
  func atomic() async {
    let state = StateStore(0)
    let counts = [Tally(), Tally()]
    let haveMet = Atomic(false)
    // Continues until one thread has often seen the other's progress between two of its own updates. A loop of
    // fixed length could end before the other thread begins.
    let update: @Sendable (Tally, Tally) -> Void = { own, other in
      var (last, meetings) = (other.count, 0)
      while own.count < 20_000 || !haveMet.load(ordering: .relaxed) {
        state.update { $0 += 1 }
        own.increment()
        if other.count == last {
          if own.count >= 20_000 { sched_yield() }
        } else {
          (last, meetings) = (other.count, meetings + 1)
          if meetings == 20 { haveMet.store(true, ordering: .relaxed) }
        }
      }
    }
    async let one: Void = onThread { update(counts[0], counts[1]) }
    async let other: Void = onThread { update(counts[1], counts[0]) }
    _ = await (one, other)
    #expect(state.value == counts[0].count + counts[1].count)
  }

  @Test("snapshots and observers never see a half-finished update", arguments: ObserverForm.allCases)
  func neverTorn(form: ObserverForm) async throws {
    struct Account: Sendable {
      var giro = 100
      var savings = 0
    }
    let state = StateStore(Account())
    let recorders = BufferingPolicy.kinds.map { StateRecorder(form.observe(state, $0)) }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 1...1_000 {
        let amount = (thread + round) % 7
        state.update {
          $0.giro -= amount
          $0.savings += amount
        }
        let now = state.value
        #expect(now.giro + now.savings == 100)
      }
    }
    state.finish()
    for recorder in recorders {
      let seen = try await recorder.waitForEnd()
      #expect(!seen.isEmpty)
      #expect(seen.allSatisfy { $0.giro + $0.savings == 100 })
    }
  }

  @Test(
    "an update that throws changes nothing and publishes nothing",
    arguments: ObserverForm.allCases,
    BufferingPolicy.kinds)
  func throwing(form: ObserverForm, buffering: BufferingPolicy) async {
    let state = StateStore(0)
    let observer = form.observe(state, buffering)
    #expect(await observer.next() == 0)
    #expect(throws: Refused()) {
      try state.update { value throws(Refused) in
        value = 1
        throw Refused()
      }
    }
    #expect(throws: Refused()) { try state.updateInPlace { _ throws(Refused) -> Void in throw Refused() } }
    #expect(state.value == 0)
    state.update { $0 += 2 }
    #expect(await observer.next() == 2)
  }

  @Test(
    "sends from inside an update take effect after the update, in order", arguments: ObserverForm.allCases)
  func reentrantSends(form: ObserverForm) async {
    let state = StateStore(0)
    let (all, latest) = (form.observe(state, .unbounded), form.observe(state))
    state.update { value in
      state.send(10)
      value = 1
      state.send(20)
      value = 2
    }
    #expect(state.value == 20)
    #expect(await latest.next() == 20)
    #expect(await all.next(4) == [0, 2, 10, 20])
    state.update { _ in state.send(30) }
    #expect(state.value == 30)
    #expect(await all.next(2) == [20, 30])
  }

  @Test(
    "a send from inside an update that throws takes effect after the update", arguments: ObserverForm.allCases
  )
  func reentrantSendBeforeThrowing(form: ObserverForm) async {
    let state = StateStore(0)
    let all = form.observe(state, .unbounded)
    #expect(throws: Refused()) {
      try state.update { value throws(Refused) in
        state.send(2)
        value = 1
        throw Refused()
      }
    }
    #expect(await all.next(2) == [0, 2])
  }

  @Test("a send in an update is published when that update returns, even if other updates run meanwhile")
  func reentrantSendIsPublishedOnReturn() {
    struct Tagged: Sendable {
      var tag = 0
      var bumps = 0
    }
    let state = StateStore(Tagged())
    let isDone = Gate()
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      if thread == 0 {
        for tag in 1...50_000 {
          state.update { _ in state.send(Tagged(tag: tag)) }
          let now = state.value.tag
          if now != tag {
            Issue.record("after the update that sends \(tag), the state is still at \(now)")
            break
          }
        }
        isDone.open()
      } else {
        // The loop is bounded, because both iterations may run on one thread.
        for _ in 1...500_000 where !isDone.isOpen { state.update { $0.bumps += 1 } }
      }
    }
  }

  @Test("the body of an update may use another state")
  func otherStates() {
    let (one, other) = (StateStore(0), StateStore(5))
    one.update { value in
      value = other.value
      other.send(6)
      other.update { $0 += 1 }
    }
    #expect((one.value, other.value) == (5, 7))
  }

  @Test("other threads wait for an update, and their calls are not mistaken for calls from its body")
  func otherThreads() {
    let state = StateStore(0)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for _ in 1...2_000 {
        if thread == 0 {
          state.update { $0 += 1 }
        } else {
          _ = state.value
          _ = state.observerCount
          state.update { $0 += 1 }
        }
      }
    }
    #expect(state.value == 4_000)
  }

  @Test(
    "the deinit of a value that the body of an update sent may use the state",
    arguments: BufferingPolicy.kinds)
  func releaseOfADeferredValue(buffering: BufferingPolicy) async {
    let state = StateStore<Reentrant?>(nil)
    let reader = state.states(buffering)
    state.update { _ in
      state.send(Reentrant(1) { [weak state] in state?.send(Reentrant(3)) })
      state.send(Reentrant(2))
    }
    // A buffer keeps the first value until it is read.
    #expect(state.value?.number == (buffering == .latest ? 3 : 2))
    var iterator = reader.makeAsyncIterator()
    while state.value?.number != 3, await iterator.next() != nil {}
    #expect(state.value?.number == 3)
  }

  @Test("after finish, an update changes a copy, and its body may use the state without restriction")
  func updateAfterFinish() {
    let state = StateStore(Reentrant(1))
    state.finish()
    let seen = state.update { value in
      value = Reentrant(2) { [weak state] in _ = state?.value }
      state.send(Reentrant(3))
      return (value.number, state.value.number)
    }
    #expect(seen == (2, 1))
    #expect(state.value.number == 1)
  }

  /// A use of the state that the body of its update must avoid. The use would wait for the lock that the
  /// update holds.
  enum Misuse: String, CaseIterable, Codable {
    case value, update, finish, bufferingStream, observerCount, droppedCount, cancellation
  }

  #if os(macOS) || os(Linux)
    @Test(
      "in every build, the process terminates if the body of an update waits for the lock of that update",
      arguments: Misuse.allCases)
    func misuse(_ misuse: Misuse) async throws {
      let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [misuse] in
        let state = StateStore(0)
        let recorder = StateRecorder(state.values())
        if misuse == .cancellation { try await until { state.waitingCount == 1 } }
        state.update { _ in
          switch misuse {
          case .value: _ = state.value
          case .update: state.update { $0 += 1 }
          case .finish: state.finish()
          case .bufferingStream: _ = state.states(.unbounded)
          case .observerCount: _ = state.observerCount
          case .droppedCount: _ = state.droppedCount
          case .cancellation: recorder.cancel()
          }
        }
        withExtendedLifetime(recorder) {}
      }
      #if os(Linux)
        let message = String(decoding: exit.standardErrorContent, as: UTF8.self)
        #expect(message.contains("Recursive call to lock Mutex"))
      #endif
    }
  #endif

  #if os(Linux)
    @Test("two states that send to each other within their updates, on two threads, terminate the process")
    func crossedSends() async throws {
      let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let states = [StateStore(0), StateStore(0)]
        let entered = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        let update: @Sendable (Int) -> Void = { thread in
          states[thread].update { _ in
            entered[thread].signal()
            entered[1 - thread].wait()
            states[1 - thread].send(1)
          }
        }
        async let one: Void = onThread { update(0) }
        async let other: Void = onThread { update(1) }
        _ = await (one, other)
      }
      let message = String(decoding: exit.standardErrorContent, as: UTF8.self)
      #expect(message.contains("Recursive call to lock Mutex"))
    }
  #endif
}
