import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("ObserverSequence: forEach", .timeLimit(.minutes(5)), .endsWaits)
struct ForEachTests {
  @Test("forEach calls its body for every element in order and returns at the end", arguments: [true, false])
  func everyElement(bodyWaits: Bool) async {
    let events = EventChannel<Int>()
    let observed = events.events()
    for event in 1...3 { events.send(event) }
    events.finish()
    var seen: [Int] = []
    if bodyWaits {
      await observed.forEach { event in
        await Task.yield()
        seen.append(event)
      }
    } else {
      await observed.forEach { seen.append($0) }
    }
    #expect(seen == [1, 2, 3])
    #expect(events.observerCount == 0)
  }

  private actor Listener {
    private var seen: [String: [Int]] = [:]

    /// Returns the elements. Terminates the process if the body runs on another actor.
    func listen(to values: ObserverSequence<Int>, as name: String, bodyWaits: Bool) async -> [Int] {
      if bodyWaits {
        await values.forEach { value in
          preconditionIsolated()
          await Task.yield()
          preconditionIsolated()
          seen[name, default: []].append(value)
        }
      } else {
        await values.forEach { value in
          preconditionIsolated()
          seen[name, default: []].append(value)
        }
      }
      preconditionIsolated()
      return seen[name] ?? []
    }
  }

  @Test("the body runs on the caller's actor, even after a wait", arguments: [true, false])
  func isolation(bodyWaits: Bool) async {
    let (state, listener) = (StateStore(0), Listener())
    let events = EventChannel<Int>()
    let latest = Task { [values = state.values()] in
      await listener.listen(to: values, as: "latest", bodyWaits: bodyWaits)
    }
    let every = Task { [values = events.events()] in
      await listener.listen(to: values, as: "every", bodyWaits: bodyWaits)
    }
    for event in 1...100 {
      events.send(event)
      state.send(event)
      await Task.yield()
    }
    events.finish()
    state.finish()
    #expect(await every.value == Array(1...100))
    let seen = await latest.value
    #expect(seen.last == 100)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("forEach waits for elements that have not been sent yet")
  func waits() async {
    let (ping, pong) = (StateStore(0), StateStore(0))
    let partner = Task { [values = ping.values()] in
      await values.forEach { value in
        pong.send(value)
        if value == 1_000 { ping.finish() }
      }
    }
    await pong.values().forEach { value in
      if value == 1_000 { pong.finish() } else { ping.send(value + 1) }
    }
    await partner.value
    #expect(pong.value == 1_000)
  }

  @Test(
    "forEach ends its observation if its task is cancelled in a wait, in the body, or before the first read",
    arguments: 0...2)
  func cancellation(moment: Int) async {
    let state = StateStore(0)
    let (working, gate) = (Gate(), Gate(isOpen: moment != 1))
    let task = Task { [values = state.values()] in
      if moment == 2 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      await values.forEach { _ in
        working.open()
        await gate.wait()
      }
    }
    if moment != 2 { await working.wait() }
    task.cancel()
    gate.open()
    await task.value
    #expect(working.isOpen == (moment != 2))
    #expect(state.observerCount == 0)
  }

  @Test("forEach with a synchronous body ends its observation if its task is cancelled during a wait")
  func cancellationBetweenElements() async {
    let state = StateStore(0)
    let working = Gate()
    let task = Task { [values = state.values()] in
      await values.forEach { _ in working.open() }
    }
    await working.wait()
    task.cancel()
    await task.value
    #expect(state.observerCount == 0)
  }

  @Test(
    "an error that the body throws ends the observation, and forEach rethrows the error",
    arguments: [true, false])
  func failure(bodyWaits: Bool) async {
    let state = StateStore(0)
    let observed = state.values()
    await #expect(throws: Refused.self) {
      if bodyWaits {
        try await observed.forEach { (_: Int) async throws(Refused) in throw Refused() }
      } else {
        try await observed.forEach { (_: Int) throws(Refused) in throw Refused() }
      }
    }
    #expect(state.observerCount == 0)
    withExtendedLifetime(observed) {}
  }
}
