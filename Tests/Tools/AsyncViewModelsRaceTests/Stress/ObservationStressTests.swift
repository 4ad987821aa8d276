import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

/// A far higher load than that of an app, on all cores.
///
/// The load is a fixed count, so that a slow machine does the same work.
@Suite("Observation: stress", .serialized, .timeLimit(.minutes(5)), .endsWaits)
struct ObservationStressTests {
  private struct Note: Hashable, Sendable {
    var writer = -1
    var number = 0
  }

  @Test("after a million updates from four threads, none is lost, and both observers end with the last value")
  func millionUpdates() async {
    let state = StateStore(0)
    let (complete, latest) = (state.values(.bounded(1)), state.values())
    let reader = Task { await Self.increasing(latest) }
    let buffering = Task { await Self.increasing(complete) }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 1...250_000 { state.update { $0 += 1 } }
    }
    #expect(state.value == 1_000_000)
    state.finish()
    #expect(await reader.value == 1_000_000)
    #expect(await buffering.value == 1_000_000)
  }

  @Test(
    "1,000 observers of 10,000 updates never see an older value after a newer one, and see the last value",
    arguments: ObserverForm.allCases)
  func manyObservers(form: ObserverForm) async {
    let state = StateStore(0)
    let readers = (0..<1_000).map { _ in
      let observer = form.observe(state)
      return Task { await Self.increasing(observer) }
    }
    for value in 1...10_000 {
      state.update { $0 = value }
      if value.isMultiple(of: 500) { await Task.yield() }
    }
    state.finish()
    for reader in readers { #expect(await reader.value == 10_000) }
    #expect(state.observerCount == 0)
    #expect(state.waitingCount == 0)
  }

  @Test(
    "while 8 writers send, 8 observers see one order, and all receive the last value",
    arguments: ObserverForm.allCases)
  func writersAndObservers(form: ObserverForm) async throws {
    let state = StateStore(Note())
    let complete = (1...4).map { _ in StateRecorder(form.observe(state, .unbounded)) }
    let latest = (1...4).map { _ in StateRecorder(form.observe(state)) }
    await withTaskGroup { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 1...1_250 {
            if number % 2 == 0 {
              state.send(Note(writer: writer, number: number))
            } else {
              state.update { $0 = Note(writer: writer, number: number) }
            }
            if number % 64 == 0 { await Task.yield() }
          }
        }
      }
    }
    let last = state.value
    for recorder in latest { try await recorder.first { $0 == last } }
    state.finish()

    let order = try await complete[0].waitForEnd()
    #expect(order.count == 10_001)
    #expect(order.last == last)
    for writer in 0..<8 {
      #expect(order.filter { $0.writer == writer }.map(\.number) == Array(1...1_250))
    }
    for recorder in complete { #expect(try await recorder.waitForEnd() == order) }
    let places = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
    for recorder in latest {
      let seen = try await recorder.waitForEnd().compactMap { places[$0] }
      #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
      #expect(seen.last == order.indices.last)
    }
  }

  /// Reads to the end and returns the last value, or nil if a value was not greater than the previous one.
  private static func increasing(_ observer: some AsyncSequence<Int, Never> & Sendable) async -> Int? {
    var last = -1
    var isIncreasing = true
    for await value in observer {
      if value <= last { isIncreasing = false }
      last = value
    }
    return isIncreasing ? last : nil
  }
}
