import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Foundation
import Synchronization
import Testing
import ToolkitTestSupport

/// Many short rounds in which racing operations start at the same time. Synchronous
/// operations, such as `send`, run on several threads.
///
/// The tests run one at a time, because each uses all cores. A test does not await the task of a reader that
/// might hang. The test waits at a gate instead, and that wait ends when the time limit cancels the test.
@Suite("Observation: races", .serialized, .timeLimit(.minutes(5)), .endsWaits)
struct ObservationRaceTests {
  @Test(
    "if cancel, send and finish race, the reader ends and nothing stays registered",
    arguments: ObserverForm.allCases, [BufferingPolicy.latest, .unbounded])
  func cancelSendFinish(form: ObserverForm, buffering: BufferingPolicy) async throws {
    for round in 0..<10_000 {
      let state = StateStore(0)
      let observer = form.observe(state, buffering)
      let ended = Gate(isOpen: true)
      let reader = Task {
        var last = -1
        for await value in observer {
          if value <= last { Issue.record("\(value) came after \(last)") }
          last = value
        }
        await ended.wait()
      }
      if round % 4 != 0 { await Task.yield() }
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        if thread == 0, round % 2 == 0 { reader.cancel() }
        state.update { $0 += 1 }
        if thread == 2 { state.finish() }
      }
      await ended.waitForArrivals(1)
      try Task.checkCancellation()
      guard state.observerCount == 0, state.waitingCount == 0 else {
        Issue.record("round \(round): \(state.observerCount) observers left")
        return
      }
    }
  }

  @Test(
    "an observer that is created during sends sees no gap after its first value",
    arguments: ObserverForm.allCases)
  func subscribeAgainstSend(form: ObserverForm) async {
    let state = StateStore(0)
    let isDone = Gate()
    let sender = Task {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          var value = 0
          while !isDone.isOpen {
            value += 1
            state.send(value)
          }
          continuation.resume()
        }
      }
    }
    for _ in 0..<10_000 {
      let snapshot = state.value
      let observer = form.observe(state, .unbounded)
      let latest = form.observe(state)
      guard let first = await observer.next(), let newest = await latest.next() else {
        Issue.record("a stream ended before its state")
        break
      }
      if first < snapshot || newest < first { Issue.record("\(snapshot), then \(first), then \(newest)") }
      if await observer.next() != first + 1 { Issue.record("a gap after \(first)") }
    }
    isDone.open()
    await sender.value
    #expect(state.observerCount == 0)
  }

  @Test("the last element arrives even if nothing follows it", arguments: ObserverForm.allCases)
  func nothingFollows(form: ObserverForm) async throws {
    let (state, channel) = (StateStore(0), EventChannel<Int>())
    let arrived = [Gate(isOpen: true), Gate(isOpen: true), Gate(isOpen: true)]
    let observers = [form.observe(state), form.observe(state, .unbounded), form.observe(channel)]
    let readers = zip(observers, arrived).map { observer, arrived in
      Task { for await value in observer where value > 0 && value % 3 == 0 { await arrived.wait() } }
    }
    for round in 1...10_000 {
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        for value in (round * 3 - 2)...(round * 3) { thread == 0 ? state.send(value) : channel.send(value) }
      }
      for gate in arrived { await gate.waitForArrivals(round) }
      try Task.checkCancellation()
    }
    for reader in readers { reader.cancel() }
  }

  @Test(
    "after a burst, a reader does not wait again before it has seen the last value",
    arguments: ObserverForm.allCases)
  func burstAgainstReader(form: ObserverForm) async throws {
    let state = StateStore(0)
    let observer = form.observe(state)
    let (seen, isCancelled) = (LastSeen(), Gate())
    let reader = Task { for await value in observer { seen.note(value) } }
    let lost = await withTaskCancellationHandler {
      await onThread { () -> String? in
        var last = 0
        for round in 0..<2_000 {
          // On one core, the reader runs during a burst only if the sender yields.
          for pause in 0...(round % 8) {
            if pause > 0 { sched_yield() }
            last += 1
            state.send(last)
          }
          while seen.value != last {
            // A reader that waits has noted every value that it received. So the wait is checked first.
            if state.waitingCount == 1, seen.value != last { return "round \(round): \(last) never arrived" }
            if isCancelled.isOpen { return "round \(round): the test was cancelled" }
            sched_yield()
          }
        }
        return nil
      }
    } onCancel: {
      isCancelled.open()
    }
    #expect(lost == nil)
    state.finish()
    await reader.value
  }

  private final class LastSeen: Sendable {
    private let last = Atomic(0)
    var value: Int { last.load(ordering: .relaxed) }
    func note(_ value: Int) { last.store(value, ordering: .relaxed) }
  }

  @Test(
    "while observers are created and leave, no kept event is lost or read twice",
    arguments: ObserverForm.allCases)
  func keepAgainstLeave(form: ObserverForm) async throws {
    let channel = EventChannel<Int>()
    let taken = DeliveryLog<Int>()
    let rounds = 10_000
    let keeping = Task {
      for event in 1...rounds {
        channel.keepForFirstObserver(event)
        if event % 4 == 0 { await Task.yield() }
      }
    }
    var readers: [Task<Void, Never>] = []
    for round in 1...rounds {
      let observer = form.observe(channel)
      let reader = Task {
        if let event = await observer.next() { taken.append(event) }
      }
      readers.append(reader)
      if round % 3 == 0 { await Task.yield() }
      reader.cancel()
    }
    // A task has released its observer when its value is available, not yet when its last statement has run.
    for reader in readers { await reader.value }
    await keeping.value
    channel.finish()
    let left = await form.observe(channel).rest()
    #expect((taken.values + left).sorted() == Array(1...rounds))
    #expect(channel.observerCount == 0)
  }

  @Test("if several observers wait, each kept event is read by exactly one", arguments: ObserverForm.allCases)
  func keepAgainstSeveral(form: ObserverForm) async throws {
    let channel = EventChannel<Int>()
    let recorders = (1...4).map { _ in StateRecorder(form.observe(channel)) }
    await withTaskGroup { group in
      for sender in 0..<4 {
        group.addTask {
          for number in 0..<2_500 {
            channel.keepForFirstObserver(number * 4 + sender)
            if number % 8 == 0 { await Task.yield() }
          }
        }
      }
    }
    channel.finish()
    var taken: [Int] = []
    for recorder in recorders { taken += try await recorder.waitForEnd() }
    #expect(taken.sorted() == Array(0..<10_000))
  }

  @Test(
    "observers with unlimited buffers miss nothing while other observers are created and released",
    arguments: ObserverForm.allCases)
  func leaveAgainstSend(form: ObserverForm) async {
    let state = StateStore(0)
    let channel = EventChannel<Int>()
    let (values, events) = (form.observe(state, .unbounded), form.observe(channel))
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      if thread == 0 {
        for value in 1...10_000 {
          state.send(value)
          channel.send(value)
        }
      } else {
        for round in 1...5_000 {
          let buffering = BufferingPolicy.kinds[round % 3]
          let observers = (form.observe(state, buffering), form.observe(channel, buffering))
          withExtendedLifetime(observers) {}
        }
      }
    }
    #expect(state.observerCount == 1)
    #expect(channel.observerCount == 1)
    state.finish()
    channel.finish()
    #expect(await values.rest() == Array(0...10_000))
    #expect(await events.rest() == Array(1...10_000))
  }

  @Test(
    "if one of two readers of a stream is cancelled during sends, both end and no value is read twice",
    arguments: ObserverForm.allCases, [BufferingPolicy.latest, .unbounded])
  func twoReadersAgainstCancel(form: ObserverForm, buffering: BufferingPolicy) async throws {
    for round in 0..<5_000 {
      let state = StateStore(0)
      let observer = form.observe(state, buffering)
      let ended = Gate(isOpen: true)
      let seen = DeliveryLog<Int>()
      let readers = (0..<2).map { _ in
        Task {
          for await value in observer { seen.append(value) }
          await ended.wait()
        }
      }
      if round % 2 == 0 { await Task.yield() }
      state.send(1)
      state.send(2)
      readers[round % 2].cancel()
      state.send(3)
      await ended.waitForArrivals(2)
      try Task.checkCancellation()
      let values = seen.values
      guard Set(values).count == values.count, state.observerCount == 0, state.waitingCount == 0 else {
        Issue.record("round \(round): \(values), \(state.observerCount) observers left")
        return
      }
    }
  }

  @Test(
    "if the release of the state races with a cancel, every reader ends", arguments: ObserverForm.allCases,
    [BufferingPolicy.latest, .unbounded])
  func ownersEndAgainstCancel(form: ObserverForm, buffering: BufferingPolicy) async throws {
    let ended = Gate(isOpen: true)
    for round in 1...5_000 {
      let reader: Task<Void, Never>
      do {
        let state = StateStore(0)
        let observer = form.observe(state, buffering)
        reader = Task {
          for await _ in observer {}
          await ended.wait()
        }
        if round % 2 == 0 { await Task.yield() }
      }
      if round % 3 == 0 { reader.cancel() }
    }
    await ended.waitForArrivals(5_000)
    try Task.checkCancellation()
  }
}
