import Synchronization
import ToolkitTestSupport

/// Runs the parties of a program against one subject, each in its own task, and records their calls.
final class HistoryRecorder<Specification: SequentialSpecification>: Sendable
where Specification.Operation == ObservationCall, Specification.Response == ObservationAnswer {
  typealias Recorded = CallHistory<Specification>.Recorded

  private let subject: ObservationSubject
  private let time = Atomic(0)
  private let arrivals = Atomic(0)

  init(_ subject: ObservationSubject) { self.subject = subject }

  func record(_ program: ObservationProgram) async -> CallHistory<Specification> {
    var observers = ObservationSubject.Observers()
    let setUp = await run([program.shared], as: 0, &observers)
    let shared = observers
    let readers = zip(3..., program.readers).map { party, calls in
      Task {
        var observers = shared
        let recorded = await self.runWithOthers(calls, as: party, &observers)
        return await recorded + self.readToEnd(party, as: party, &observers)
      }
    }
    let callers = zip(1..., program.callers).map { party, calls in
      Task {
        var observers = shared
        return await self.runWithOthers(calls, as: party, &observers)
      }
    }
    var calls = setUp
    for caller in callers { calls += await caller.value }
    // Ends the reads that still wait for an element.
    calls += await run([.finish], as: 0, &observers)
    for reader in readers { calls += await reader.value }
    calls += await readToEnd(0, as: 0, &observers)
    return CallHistory(calls)
  }

  private func runWithOthers(
    _ calls: [ObservationCall], as party: Int, _ observers: inout ObservationSubject.Observers
  ) async -> [Recorded] {
    awaitOthers()
    return await run(calls, as: party, &observers)
  }

  private func run(
    _ calls: [ObservationCall], as party: Int, _ observers: inout ObservationSubject.Observers
  ) async -> [Recorded] {
    var recorded: [Recorded] = []
    for call in calls {
      let begin = tick()
      let answer = await subject.perform(call, &observers)
      recorded.append(
        Recorded(party: party, operation: call, response: answer, begin: begin, end: tick()))
    }
    return recorded
  }

  /// Reads the observer to its end, so that a lost value shows in the history.
  private func readToEnd(
    _ observer: Int, as party: Int, _ observers: inout ObservationSubject.Observers
  ) async -> [Recorded] {
    var recorded: [Recorded] = []
    repeat {
      recorded += await run([.next(observer)], as: party, &observers)
    } while recorded.last?.response != .ended
    return recorded
  }

  private func tick() -> Int { time.add(1, ordering: .sequentiallyConsistent).oldValue }

  /// Spins briefly until other parties have started, so that calls probably overlap.
  ///
  /// No result depends on this wait.
  private func awaitOthers() {
    arrivals.add(1, ordering: .relaxed)
    var attempts = 500
    while attempts > 0, arrivals.load(ordering: .relaxed) < 3 { attempts -= 1 }
  }
}
