import AsyncViewModelsSimulation
import Dispatch

/// Calls with a completion handler. Each must be answered once, on the callback queue.
struct CountedCalls: Sendable {
  /// The answer to a call, without its value or error.
  struct Answer: Equatable, Sendable {
    let name: String
    let isSuccess: Bool
  }

  let queue = DispatchQueue(label: "callbacks")
  private let isCallbackQueue = DispatchSpecificKey<Bool>()
  private let made = EventLog<String>()
  private let log = EventLog<Answer>()
  private let world: SimulatedWorld

  init(in world: SimulatedWorld) {
    self.world = world
    queue.setSpecific(key: isCallbackQueue, value: true)
  }

  /// The answers so far, in order.
  var answers: [Answer] { log.values }

  func make<Value: Sendable>(
    _ name: String, _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
  ) {
    made.append(name)
    start { [world, log, isCallbackQueue] result in
      world.expect(
        DispatchQueue.getSpecific(key: isCallbackQueue) == true, "\(name) is answered on another queue")
      log.append(Answer(name: name, isSuccess: (try? result.get()) != nil))
    }
  }

  func expectOneAnswerEach() {
    world.expectEqual(answers.map(\.name).sorted(), made.values.sorted(), "answered:")
  }
}
