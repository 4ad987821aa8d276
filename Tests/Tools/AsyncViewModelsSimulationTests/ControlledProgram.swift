import AsyncViewModelsSimulation
import Foundation
import SimulatedQueues
import Synchronization
import Testing

/// A program for one row of the table of what a simulation controls: two pieces of code that race in one way.
struct ControlledProgram: Sendable {
  typealias Body = @Sendable (_ world: SimulatedWorld, _ log: Log) async throws -> Void

  /// What the code does, as in the table.
  let code: String
  /// The call that a refusal on Linux names.
  let name: String
  let queues: QueueScheduling
  let interruptions: Interruptions
  let body: Body

  init(
    _ code: String, name: String = "", queues: QueueScheduling = .real,
    interruptions: Interruptions = .atSuspensions, _ body: @escaping Body
  ) {
    self.code = code
    self.name = name
    self.queues = queues
    self.interruptions = interruptions
    self.body = body
  }

  /// The order in which code of one world has written. A world may run its code on several threads.
  final class Log: Sendable {
    private let entries = Mutex<[Int]>([])
    private let real = Mutex(false)

    var order: [Int] { entries.withLock(\.self) }
    var isReal: Bool { real.withLock(\.self) }

    func add(_ entry: Int) { entries.withLock { $0.append(entry) } }
    /// Notes that the world does not control the code.
    func noteReal(_ isReal: Bool) { if isReal { real.withLock { $0 = true } } }
  }

  enum Outcome: Equatable {
    /// The orders in which the code ran, by seed. At least two differ.
    case controlled([[Int]])
    case refused(String)
    /// All seeds pass, and choose nothing.
    case real

    var word: String {
      switch self {
      case .controlled: "controlled"
      case .refused: "refused"
      case .real: "not controlled"
      }
    }
  }

  /// What a simulation does with the program.
  func outcome(with hooks: RuntimeHooks) async -> Outcome {
    let logs = Mutex<[UInt64: Log]>([:])
    var plan = SimulationPlan(
      seeds: 1...50, queues: queues, interruptions: interruptions
    ) { [body] world in
      let log = Log()
      logs.withLock { $0[UInt64($0.count)] = log }
      try await body(world, log)
    }
    plan.hooks = hooks
    let result = await run(plan)
    if case .failure(let failure) = result { return .refused(failure.description) }
    let runs = logs.withLock { logs in logs.sorted { $0.key < $1.key }.map(\.value) }
    if runs.contains(where: \.isReal) { return .real }
    let orders = runs.map(\.order)
    return Set(orders).count > 1 ? .controlled(orders) : .real
  }

  private func run(_ plan: SimulationPlan) async -> Result<SimulationSummary, SimulationFailure> {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: Result { () throws(SimulationFailure) in try plan.run() })
      }
    }
  }
}
