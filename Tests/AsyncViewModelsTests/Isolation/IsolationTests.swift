import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("Isolation", .timeLimit(.minutes(5)), .endsWaits)
struct IsolationTests {
  @Test("an actor on a new isolation loses no call of concurrent callers")
  func newIsolation() async {
    let counter = IsolatedCounter()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<1_000 {
            await counter.increment()
            await counter.incrementAfterWaiting()
          }
        }
      }
    }
    #expect(await counter.count == 16_000)
  }

  @Test("two actors on the executor of one actor share one isolation")
  func sharedIsolation() async {
    let isolation = PlainActor()
    let (one, other) = (IsolatedCounter(isolation: isolation), IsolatedCounter(isolation: isolation))
    #expect(await one.incrementSynchronously(other) == 1)
    #expect(await other.incrementSynchronously(one) == 1)
    await withTaskGroup { group in
      for number in 0..<4 {
        group.addTask {
          for _ in 0..<500 {
            _ = await number % 2 == 0 ? one.incrementSynchronously(other) : other.increment()
          }
        }
      }
    }
    #expect(await other.count == 2_001)
  }

  @Test("an actor may run on the executor of a view model")
  func nested() async {
    let one = IsolatedCounter()
    let other = IsolatedCounter(isolation: one)
    #expect(await one.incrementSynchronously(other) == 1)
  }

  #if os(macOS) || os(Linux)
    @Test("two actors on separate executors do not share an isolation")
    func separateIsolations() async {
      await #expect(processExitsWith: .failure) {
        let (one, other) = (IsolatedCounter(), IsolatedCounter())
        _ = await one.incrementSynchronously(other)
      }
    }
  #endif

  @Test("main-actor code uses an actor on the main actor without waiting")
  @MainActor
  func mainActor() async {
    let counter = IsolatedCounter(isolation: MainActor.shared)
    #expect(incrementSynchronously(counter) == 1)
    #expect(await counter.increment() == 2)
    await counter.incrementAfterWaiting()
    #expect(incrementSynchronously(counter) == 4)
    _ = await Task { await counter.increment() }.value
    _ = await Task.detached { await counter.increment() }.value
    #expect(incrementSynchronously(counter) == 7)
  }

  #if os(macOS) || os(Linux)
    @Test("if code outside the main actor uses an actor on it without waiting, the process terminates")
    func offTheMainActor() async {
      await #expect(processExitsWith: .failure) {
        let counter = IsolatedCounter(isolation: MainActor.shared)
        await Task.detached { _ = incrementSynchronously(counter) }.value
      }
    }
  #endif

  @Test("the isolation lives as long as its actor and no longer")
  func isolationIsKept() async throws {
    try await LeakTracker.check { tracker in
      let counter = tracker.track(IsolatedCounter(isolation: tracker.track(PlainActor())))
      #expect(tracker.survivors == ["PlainActor", "IsolatedCounter"])
      #expect(await counter.increment() == 1)
    }
  }

  @Test("an actor and its isolation may be released while the last call is still running")
  func lastCall() async {
    await withTaskGroup { group in
      for round in 0..<4_000 {
        let counter = IsolatedCounter()
        group.addTask {
          await counter.increment()
          if round % 2 == 0 { await counter.incrementAfterWaiting() }
        }
        Task { await counter.increment() }
      }
    }
  }
}

private func incrementSynchronously(_ counter: IsolatedCounter) -> Int {
  counter.assumeIsolated { $0.increment() }
}
