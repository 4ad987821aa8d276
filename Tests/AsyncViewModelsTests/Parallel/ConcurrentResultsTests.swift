import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite(.timeLimit(.minutes(5)), .endsWaits)
struct ConcurrentResultsTests {
  @Test("a failure does not affect the other elements, and each outcome is at its element's index")
  func failureIsAlone() async throws {
    let (gate, failed) = (Gate(), Gate())
    let task = Task {
      try await (0..<4).concurrentResults(limit: 2) { index in
        if index == 1 {
          defer { failed.open() }
          throw Refused()
        }
        if index == 2 { throw CancellationError() }
        try await gate.waitUnlessCancelled()
        return index
      }
    }
    await failed.wait()
    await gate.waitForArrivals(2)
    gate.open()
    let outcomes = try await task.value
    #expect(outcomes.map(\.value) == [0, nil, nil, 3])
    #expect(outcomes[1].error as? Refused == Refused())
    #expect(outcomes[2].isCancelled)
  }

  @Test("never more transforms run at once than the limit allows", arguments: [1, 4])
  func limit(_ limit: Int) async throws {
    let gate = Gate()
    let task = Task {
      try await (0..<12).concurrentResults(limit: limit) { index in
        await gate.wait()
        return index
      }
    }
    for ended in 0..<12 {
      await gate.waitForArrivals(min(limit + ended, 12))
      #expect(gate.waitingCount == min(limit, 12 - ended))
      gate.release()
    }
    #expect(try await task.value.compactMap(\.value) == Array(0..<12))
  }

  @Test("after a cancellation, no more transforms start, the running ones stop, and outcomes so far remain")
  func cancellation() async throws {
    let gate = Gate()
    let task = Task {
      try await (0..<6).concurrentResults(limit: 2) { index in
        if index == 0 { return index }
        try await gate.waitUnlessCancelled()
        return index
      }
    }
    await gate.waitForArrivals(2)
    task.cancel()
    let outcomes = try await task.value
    #expect(outcomes.map(\.value) == [0, nil, nil, nil, nil, nil])
    #expect(outcomes.map(\.isCancelled) == [false, true, true, true, true, true])
    #expect(gate.arrivalCount == 2)
  }
}

extension TaskOutcome {
  var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }

  var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }
}
