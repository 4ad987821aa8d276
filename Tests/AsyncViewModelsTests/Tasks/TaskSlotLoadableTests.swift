import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

/// The smallest view model that loads a value.
private actor Numbers: StateSource {
  nonisolated let store = StateStore(Loadable<Int>())
  nonisolated let slot: TaskSlot
  nonisolated let calls: ScriptedCalls<Int, Int>
  private var callers = 0

  init(_ policy: TaskSlot.Policy = .latest, calls: ScriptedCalls<Int, Int> = ScriptedCalls()) {
    slot = TaskSlot(policy)
    self.calls = calls
  }

  func load(_ number: Int = 0) async {
    await slot.load(into: self) { [calls] in try await calls(number) }
  }

  func load(in slot: TaskSlot, _ gate: Gate) -> Task<Void, Never> {
    Task {
      await slot.load(into: self) {
        await gate.wait()
        return 1
      }
    }
  }

  /// Calls ``load(_:)`` in a new task. Returns when the call has returned or waits for its run.
  func startLoading(_ number: Int = 0) async -> Task<Void, Never> {
    let count = callers + 1
    // The actor is free again only after the first suspension of the call.
    let task = Task {
      callers += 1
      await load(number)
    }
    while callers < count { await Task.yield() }
    return task
  }
}

/// The parts of a larger state, whose owner is on the main actor.
@MainActor
private final class Parts: StateSource {
  struct State {
    var number = Loadable<Int>()
    var text = Loadable("")
  }

  nonisolated let store = StateStore(State())
  nonisolated let (numbers, texts) = (ScriptedCalls<Void, Int>(), ScriptedCalls<Void, String>())
  private let (numberSlot, textSlot) = (TaskSlot(), TaskSlot())

  func loadNumber() async {
    await numberSlot.load(\.number, of: self) { [numbers] in try await numbers(()) }
  }

  func loadText() async { await textSlot.load(\.text, of: self) { [texts] in try await texts(()) } }
}

@Suite("TaskSlot: loads into a Loadable", .timeLimit(.minutes(5)), .endsWaits)
struct TaskSlotLoadableTests {
  @Test(
    "a load shows that it is running, and its outcome before it returns",
    arguments: TaskSlot.Policy.all)
  func outcomes(policy: TaskSlot.Policy) async throws {
    let model = Numbers(policy)
    async let first: Void = model.load()
    let call = try await model.calls.next()
    #expect(model.state.isLoading)
    call.fail(Refused())
    await first
    #expect(model.state.failure is Refused)
    async let second: Void = model.load()
    try await model.calls.next().succeed(1)
    await second
    #expect(model.state == Loadable(1))
  }

  @Test("a replaced load never changes the state, and its callers wait for the newest load")
  func replaced() async throws {
    let model = Numbers(calls: ScriptedCalls(ignoringCancellation: true))
    let first = await model.startLoading(1)
    let old = try await model.calls.next()
    let second = await model.startLoading(2)
    let new = try await model.calls.next()
    old.succeed(1)
    #expect(model.state.isLoading)
    new.succeed(2)
    for caller in [first, second] { await caller.value }
    #expect(model.state == Loadable(2))
  }

  @Test(
    "a policy that runs all work receives all outcomes",
    arguments: [.serial, .concurrent] as [TaskSlot.Policy])
  func allRuns(policy: TaskSlot.Policy) async throws {
    let model = Numbers(policy)
    let states = StateRecorder(model.states(.unbounded))
    let callers = [await model.startLoading(1), await model.startLoading(2)]
    for _ in 1...2 {
      let call = try await model.calls.next()
      call.succeed(call.request)
      await callers[call.request - 1].value
    }
    model.store.finish()
    #expect(Set(try await states.waitForEnd().map(\.value)) == [nil, 1, 2])
    #expect(!model.state.isLoading)
  }

  @Test(
    "a load that ends, or whose caller is cancelled, leaves the load beside it in progress",
    arguments: [.serial, .concurrent] as [TaskSlot.Policy], [true, false])
  func loadBesideAnother(policy: TaskSlot.Policy, isCancelled: Bool) async throws {
    let model = Numbers(policy, calls: ScriptedCalls(ignoringCancellation: true))
    let callers = [await model.startLoading(1), await model.startLoading(2)]
    let call = try await model.calls.next()
    let ended = isCancelled ? 2 - call.request : call.request - 1
    if isCancelled { callers[ended].cancel() } else { call.succeed(1) }
    await callers[ended].value
    #expect(model.state.isLoading && model.state.value == (isCancelled ? nil : 1))
    if isCancelled { call.succeed(2) } else { try await model.calls.next().succeed(2) }
    await callers[1 - ended].value
    #expect(model.state == Loadable(2))
  }

  @Test(
    "a cancelled caller returns early, and the state shows what it showed before",
    arguments: [true, false])
  func cancelledCaller(beforeTheCall: Bool) async throws {
    let model = Numbers(calls: ScriptedCalls(ignoringCancellation: true))
    let states = StateRecorder(model.states(.unbounded))
    let gate = Gate()
    let caller = Task {
      if beforeTheCall { await gate.wait() }
      await model.load()
    }
    let call = beforeTheCall ? nil : try await model.calls.next()
    caller.cancel()
    gate.open()
    await caller.value
    #expect(model.state == Loadable())
    call?.succeed(1)
    model.store.finish()
    #expect(try await states.waitForEnd().map(\.isLoading) == [false, true, false])
    #expect(model.calls.requests.count == (beforeTheCall ? 0 : 1))
  }

  @Test("a load shows its outcome, also if its owner has replaced the state meanwhile")
  func replacedState() async throws {
    let model = Numbers()
    async let load: Void = model.load()
    let call = try await model.calls.next()
    model.store.send(Loadable(1))
    call.succeed(2)
    await load
    #expect(model.state == Loadable(2))
  }

  @Test("cancelling the slot ends the load, and the state shows what it showed before")
  func cancelledSlot() async throws {
    let model = Numbers(calls: ScriptedCalls(ignoringCancellation: true))
    async let first: Void = model.load()
    try await model.calls.next().succeed(1)
    await first
    async let second: Void = model.load()
    let call = try await model.calls.next()
    model.slot.cancel()
    await second
    #expect(model.state == Loadable(1))
    call.succeed(2)
    async let third: Void = model.load()
    try await model.calls.next().succeed(3)
    await third
    #expect(model.state == Loadable(3))
  }

  @Test(
    "a call that joins a load, or that the slot drops, publishes nothing",
    arguments: [.join, .keepRunning] as [TaskSlot.Policy])
  func joined(policy: TaskSlot.Policy) async throws {
    let model = Numbers(policy)
    let states = StateRecorder(model.states(.unbounded))
    let first = await model.startLoading()
    let call = try await model.calls.next()
    let second = await model.startLoading()
    if policy == .keepRunning { await second.value }
    #expect(model.state.isLoading)
    call.succeed(1)
    for caller in [first, second] { await caller.value }
    model.store.finish()
    #expect(try await states.waitForEnd().map(\.value) == [nil, nil, 1])
    #expect(model.calls.requests.count == 1)
  }

  @Test("the parts of a state are loaded at the same time, by an owner on the main actor")
  func parts() async throws {
    let model = Parts()
    async let number: Void = model.loadNumber()
    async let text: Void = model.loadText()
    let (first, second) = (try await model.numbers.next(), try await model.texts.next())
    #expect(model.state.number.isLoading && model.state.text.isReloading)
    first.fail(Refused())
    await number
    #expect(model.state.number.failure is Refused)
    #expect(model.state.text.isReloading)
    second.succeed("loaded")
    await text
    #expect(model.state.text == Loadable("loaded"))
  }

  @Test("a load keeps neither an owner without waiting callers nor its store alive")
  func ownership() async throws {
    for isOnMainActor in [true, false] {
      let (slot, gate) = (TaskSlot(), Gate())
      let waiting = try await LeakTracker.check { tracker in
        let model = tracker.track(Numbers())
        let store = tracker.track(model.store)
        let caller =
          isOnMainActor ? await Self.load(into: store, in: slot, gate) : await model.load(in: slot, gate)
        await gate.waitForArrivals(1)
        // Keeps the run alive without its owner.
        let run = slot.join()
        let waiting = Task { await run.wait() }
        caller.cancel()
        await caller.value
        #expect(store.value.isLoading)
        return waiting
      }
      gate.open()
      await waiting.value
      #expect(!slot.isRunning)
    }
  }

  @MainActor
  private static func load(
    into store: StateStore<Loadable<Int>>, in slot: TaskSlot, _ gate: Gate
  ) -> Task<Void, Never> {
    Task {
      await slot.load(into: store) {
        await gate.wait()
        return 1
      }
    }
  }
}
