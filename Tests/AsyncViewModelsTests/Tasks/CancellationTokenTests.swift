import AsyncViewModelsTesting
import AsyncViewModelsUI
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("CancellationToken", .timeLimit(.minutes(5)), .endsWaits)
struct CancellationTokenTests {
  @Test("only the first cancel runs the action, and the action ends before that cancel returns")
  func onlyOnce() {
    let runs = Atomic(0)
    let token = CancellationToken { runs.add(1, ordering: .relaxed) }
    #expect(!token.isCancelled)
    token.cancel()
    #expect(runs.load(ordering: .relaxed) == 1)
    token.cancel()
    #expect(runs.load(ordering: .relaxed) == 1)
    #expect(token.isCancelled)
  }

  @Test("a cancellation on a global queue counts at once, so finishing the token does not prevent its action")
  func onGlobalQueue() async {
    let queue = DispatchQueue(label: "caller")
    for _ in 0..<1_000 {
      let hasRun = Gate()
      let token = CancellationToken {
        queue.sync {}
        hasRun.open()
      }
      await queue.run {
        token.cancelOnGlobalQueue()
        token.finish()
        #expect(token.isCancelled)
      }
      await hasRun.wait()
    }
  }

  @Test("releasing the last reference to a token runs its action")
  func cancelsOnDeinit() {
    let runs = Atomic(0)
    do { _ = CancellationToken { runs.add(1, ordering: .relaxed) } }
    #expect(runs.load(ordering: .relaxed) == 1)
  }

  @Test("hold(_:) keeps the token alive until the body has ended, even in an optimized build")
  func hold() async throws {
    let runs = Atomic(0)
    let answer = await CancellationToken { runs.add(1, ordering: .relaxed) }.hold {
      await Task.yield()
      #expect(runs.load(ordering: .relaxed) == 0)
      return 7
    }
    #expect(answer == 7)
    #expect(runs.load(ordering: .relaxed) == 1)
    await #expect(throws: Refused.self) {
      try await CancellationToken { runs.add(1, ordering: .relaxed) }
        .hold { () throws(Refused) in throw Refused() }
    }
    #expect(runs.load(ordering: .relaxed) == 2)
  }

  @Test("a finished token never runs its action, and does not retain the captures of the action")
  func finish() {
    let runs = Atomic(0)
    var captured: DeliveryLog<Int>? = DeliveryLog()
    weak let released = captured
    do {
      let token = CancellationToken { [captured] in
        captured?.append(1)
        runs.add(1, ordering: .relaxed)
      }
      captured = nil
      #expect(released != nil)
      token.finish()
      #expect(released == nil)
      token.cancel()
      #expect(!token.isCancelled)
    }
    #expect(runs.load(ordering: .relaxed) == 0)
  }

  @Test("a token that is finished after its cancellation stays cancelled")
  func finishAfterCancel() {
    let token = CancellationToken {}
    token.cancel()
    token.finish()
    #expect(token.isCancelled)
  }

  @Test("a cancelled token does not retain the captures of its action")
  func cancelReleasesCaptures() {
    var captured: DeliveryLog<Int>? = DeliveryLog()
    weak let released = captured
    let token = CancellationToken { [captured] in captured?.append(1) }
    captured = nil
    token.cancel()
    #expect(released == nil)
    #expect(token.isCancelled)
  }

  @Test("the action may cancel its own token")
  func reentrantCancel() {
    let token = Mutex<CancellationToken?>(nil)
    let runs = Atomic(0)
    let made = CancellationToken {
      runs.add(1, ordering: .relaxed)
      token.withLock { $0 }?.cancel()
    }
    token.withLock { $0 = made }
    made.cancel()
    #expect(runs.load(ordering: .relaxed) == 1)
    token.withLock { $0 = nil }
  }

  @Test("cancelling `CancellationToken.finished` does nothing")
  func ended() {
    CancellationToken.finished.cancel()
    #expect(!CancellationToken.finished.isCancelled)
  }

  @Test("if many cancels race with a finish, the action runs once, or never if the finish comes first")
  func race() {
    for _ in 0..<1_000 {
      let runs = Atomic(0)
      let token = CancellationToken { runs.add(1, ordering: .relaxed) }
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        if thread == 0 { token.finish() } else { token.cancel() }
      }
      #expect(runs.load(ordering: .relaxed) == (token.isCancelled ? 1 : 0))
    }
  }

  @Test("a token can be stored in a bag and in bindings, which cancel it")
  func store() {
    let notes = Notes()
    let (bag, bindings) = (TaskBag(), ScreenBindings())
    CancellationToken { notes.add("bag") }.store(in: bag)
    CancellationToken { notes.add("bindings") }.store(in: bindings)
    #expect((bag.count, bindings.count) == (1, 1))
    #expect(notes.all == [])
    bag.close()
    #expect(notes.all == ["bag"])
    withExtendedLifetime(bindings) {}
  }
}
