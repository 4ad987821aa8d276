import AsyncViewModelsTesting
import AsyncViewModelsUI
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

/// One view model for each identity, from the first lease to the end of its retention.
@Suite("ViewModelStore", .timeLimit(.minutes(5)), .endsWaits)
struct ViewModelStoreTests {
  private let clock = VirtualClock()
  private let factory = ScreenModelFactory()

  private func makeStore(retention: Duration = .seconds(5)) -> ViewModelStore<Int, ScreenModel> {
    ViewModelStore(retention: retention, clock: clock) { [factory] in factory.make($0) }
  }

  @Test("users of one identity share a view model, and users of another identity get another one")
  func sharing() async {
    let store = makeStore()
    let (first, second, other) = (await store.lease(1), await store.lease(1), await store.lease(2))
    #expect(first.model === second.model)
    #expect(first.model !== other.model)
    #expect(factory.identities == [1, 2])
    #expect(store.counts == ViewModelCounts(inUse: 2, leases: 3))
    withExtendedLifetime((first, second, other)) {}
  }

  @Test("the code that hashes and compares identities may use the store")
  func identitiesThatUseTheStore() async {
    let (holder, uses) = (Holder<ViewModelStore<ComparedKey, ScreenModel>>(), Tally())
    let store = ViewModelStore<ComparedKey, ScreenModel>(retention: .zero, clock: clock) { _ in ScreenModel()
    }
    holder.set(store)
    let use: @Sendable () -> Void = {
      uses.increment()
      _ = holder.value?.counts
    }
    let identity = ComparedKey(name: "one", whenHashed: use, whenCompared: use)
    do {
      let (first, second) = (await store.lease(identity), await store.lease(identity))
      #expect(first.model === second.model)
      withExtendedLifetime((first, second)) {}
    }
    #expect(store.counts == ViewModelCounts())
    #expect(uses.count > 1)
    holder.clear()
  }

  @Test(
    "without retention, a view model is released with its last lease, even during a comparison of identities")
  func endOfTheLeaseDuringAComparison() async {
    let store = ViewModelStore<ComparedKey, ScreenModel>(retention: .zero, clock: clock) { _ in ScreenModel()
    }
    let lease = Holder(await store.lease(ComparedKey(name: "one")))
    let (model, isReleased) = (WeakModel(lease.value?.model), Tally())
    let identity = ComparedKey(
      name: "one",
      whenCompared: {
        lease.clear()
        if model.value == nil { isReleased.increment() }
      })
    #expect(store.current(identity) == nil)
    #expect(isReleased.count == 1)
  }

  private final class WeakModel: Sendable {
    weak let value: ScreenModel?

    init(_ value: ScreenModel?) { self.value = value }
  }

  @Test("a thousand concurrent users create one view model")
  func concurrentUsers() async {
    let store = makeStore()
    let leases = await withTaskGroup(of: ViewModelLease<ScreenModel>.self) { group in
      for _ in 0..<1_000 { group.addTask { await store.lease(1) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(factory.identities == [1])
    #expect(Set(leases.map { ObjectIdentifier($0.model) }).count == 1)
    #expect(store.counts == ViewModelCounts(inUse: 1, leases: 1_000))
    withExtendedLifetime(leases) {}
  }

  @Test("hold(_:) keeps a lease until the body has ended, even in an optimized build")
  func holdKeepsLease() async {
    let store = makeStore()
    await store.lease(1).hold { model in
      await Task.yield()
      #expect(store.counts == ViewModelCounts(inUse: 1, leases: 1))
      #expect(store.current(1)?.model === model)
    }
    #expect(store.counts == ViewModelCounts(retained: 1))
  }

  @Test("a user who returns within the retention gets the same view model, and the retention ends")
  func returning() async {
    let store = makeStore()
    let first = ObjectIdentifier(await store.lease(1).model)
    #expect(store.counts == ViewModelCounts(retained: 1))
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(4_999))

    let lease = await store.lease(1)
    #expect(ObjectIdentifier(lease.model) == first)
    #expect(store.counts == ViewModelCounts(inUse: 1, leases: 1))
    #expect(clock.sleeperCount == 0)
    clock.advance(by: .seconds(60))
    #expect(store.counts.inUse == 1)
    #expect(factory.identities == [1])
    withExtendedLifetime(lease) {}
  }

  @Test("after the retention the view model is released, and the next user gets a new one")
  func expiry() async throws {
    let store = makeStore()
    try await LeakTracker.check { tracker in
      tracker.track(await store.lease(1).model)
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(5))
    }
    #expect(store.counts == ViewModelCounts())
    #expect(store.current(1) == nil)
    let again = await store.lease(1)
    #expect(factory.identities == [1, 1])
    withExtendedLifetime(again) {}
  }

  @Test("the deinit of a view model may use the store, when the retention ends, too")
  func expiryUsesTheStore() async {
    let (store, released) = (Holder<ViewModelStore<Int, Reentrant>>(), Gate())
    store.set(
      ViewModelStore(retention: .seconds(5), clock: clock) { _ in
        Reentrant(1) {
          #expect(store.value?.counts == ViewModelCounts())
          released.open()
        }
      })
    await store.value?.lease(1).hold { _ in }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(5))
    await released.wait()
    store.clear()
  }

  @Test("the retention begins only when the last lease ends")
  func lastUser() async {
    let store = makeStore()
    let first = await store.lease(1)
    var second: ViewModelLease? = await store.lease(1)
    withExtendedLifetime(second) {}
    second = nil
    #expect(store.counts == ViewModelCounts(inUse: 1, leases: 1))
    #expect(clock.sleeperCount == 0)
    withExtendedLifetime(first) {}
  }

  @Test("without retention, a view model is released with its last lease")
  func noRetention() async throws {
    let store = makeStore(retention: .zero)
    try await LeakTracker.check { tracker in _ = tracker.track(await store.lease(1).model) }
    #expect(store.counts == ViewModelCounts())
  }

  @Test("current(_:) returns an existing view model and creates none")
  func current() async {
    let store = makeStore()
    #expect(store.current(1) == nil)
    let lease = await store.lease(1)
    #expect(store.current(1)?.model === lease.model)
    #expect(factory.identities == [1])
  }

  @Test("if a lease races with the end of the retention, the lease and the store have the same view model")
  func race() async {
    let store = makeStore()
    for _ in 0..<500 {
      _ = await store.lease(1)
      await clock.waitForSleepers(1)
      async let advanced: Void = advanceOnGlobalQueue(by: .seconds(5))
      let lease = await store.lease(1)
      await advanced
      #expect(store.current(1)?.model === lease.model)
      #expect(store.counts == ViewModelCounts(inUse: 1, leases: 1))
      withExtendedLifetime(lease) {}
    }
  }

  @Test("concurrent users that take and end leases share one view model, which is retained at the end")
  func churn() async {
    let store = makeStore()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<500 { _ = await store.lease(1) } }
      }
    }
    #expect(store.counts == ViewModelCounts(retained: 1))
    #expect(factory.identities == [1])
    await clock.waitForSleepers(1)
  }

  @Test("a deallocated store ends every retention, but a leased view model lives as long as its lease")
  func storeEnd() async throws {
    try await LeakTracker.check { tracker in
      var store: ViewModelStore? = makeStore()
      let used = try #require(await store?.lease(1))
      tracker.track(used.model, "in use")
      try tracker.track(#require(await store?.lease(2)).model, "retained")
      await clock.waitForSleepers(1)
      tracker.track(try #require(store), "store")
      store = nil
      try await until { clock.sleeperCount == 0 }
      #expect(tracker.survivors == ["in use"])
      withExtendedLifetime(used) {}
    }
  }

  @Test("main-actor code uses a store on the main actor synchronously")
  @MainActor
  func hostedOnMain() {
    let store = ViewModelStore(clock: clock, isolation: MainActor.shared) { [factory] in factory.make($0) }
    let model = leaseOnMain(store)
    #expect(factory.identities == [1])
    withExtendedLifetime(model) {}
  }

  @MainActor
  private func leaseOnMain(_ store: ViewModelStore<Int, ScreenModel>) -> ViewModelLease<ScreenModel> {
    store.assumeIsolated { $0.lease(1) }
  }

  #if os(macOS) || os(Linux)
    @Test("a negative retention terminates the process")
    func negativeRetention() async {
      await #expect(processExitsWith: .failure) {
        _ = ViewModelStore(retention: .seconds(-1)) { (_: Int) in ScreenModel() }
      }
    }

    @Test("leasing a view model during its own creation terminates the process and names the identity")
    func askingForItself() async throws {
      let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let itself = Mutex<ViewModelStore<Int, ScreenModel>?>(nil)
        let store = ViewModelStore { (identity: Int) in
          _ = itself.withLock { $0 }?.assumeIsolated { $0.lease(identity) }
          return ScreenModel()
        }
        itself.withLock { $0 = store }
        _ = await store.lease(7)
      }
      let message = String(decoding: exit.standardErrorContent, as: UTF8.self)
      #expect(message.contains("make(7) must not lease 7"))
    }
  #endif

  private func advanceOnGlobalQueue(by duration: Duration) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [clock] in
        clock.advance(by: duration)
        continuation.resume()
      }
    }
  }
}
