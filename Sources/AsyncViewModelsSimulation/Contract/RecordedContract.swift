/// Compares an old view model with its replacement: drives both with the same random scripts, and
/// reports the first difference as the shortest script, ready to paste as a test.
///
/// ```swift
/// enum Intent { case search(String), clear }
///
/// static let contract = RecordedContract<Intent>(
///   intents: [.search("a"), .search("b"), .clear], also: [.wait(milliseconds: 300)],
///   queues: .simulated
/// ) { recording in
///   let model = OldSearch(find: Places(recording).find)
///   model.onChange = { recording.show(["places": $0]) }
///   return { intent in … }
/// } new: { recording in
///   let model = NewSearch(find: Places(recording).find)
///   recording.follow(await model.states) { recording.show(["places": $0]) }
///   return { intent in … }
/// }
///
/// @Test func samePlaces() async throws { try await Self.contract.compare(seeds: 1...1_000) }
/// ```
///
/// A stage is one implementation. It is a closure that creates the view model over a ``Recording``,
/// and returns how to perform an intent. The view model needs no change: it can be a class on
/// queues, a class on the main actor, or an actor.
///
/// | compared after each step | recorded by |
/// | --- | --- |
/// | what a screen shows | ``Recording/show(_:)``, ``Recording/watch(_:_:)`` |
/// | events, in their order | ``Recording/event(_:)`` |
/// | requests, their cancellations and answers | ``Recording/request(_:answers:)`` and its completion form |
/// | ends and errors of intents | ``Recording/wait(for:_:)`` |
///
/// - Steps: A step ends when no stage has work left, except work that waits for the clock or for an
///   answer. Stages may skip values within a step: the last one of each step is compared. The order
///   of requests within a step is not compared.
/// - Ending: After the last step, the open requests fail, and the screens leave. Then the watched
///   values are compared once more, so that a reader which a view model leaves behind is found.
/// - Cancellation: The seed decides whether a cancelled request fails at once, or can be answered
///   later. The tasks of intents are cancelled only by ``Step/leave``.
/// - Isolation: Each seed creates new stages in its own ``SimulatedWorld``, which all stages share.
public struct RecordedContract<Intent: Sendable>: Sendable {
  /// Starts an intent. A call that waits for an answer may do so here, too.
  public typealias Perform = @Sendable (Intent) async -> Void
  /// Creates the view model of a stage. Called again after ``Step/leave`` and ``Step/restart``.
  public typealias Stage = @Sendable (Recording) async -> Perform

  /// One step of a script, which all stages take.
  public enum Step: Sendable {
    /// Starts an intent, and does not wait for its end.
    case perform(Intent)
    /// Answers one of the open requests, counted from the oldest, with one of its answers.
    case answer(Int, with: Int)
    /// Lets virtual time pass.
    case wait(milliseconds: Int)
    /// Releases the view model, and creates another one over the same services.
    case leave
    /// Ends the app, and starts it again. See ``Recording/kept(acrossRestarts:_:)``.
    case restart
  }

  let name: String
  let steps: [Step]
  let length: Int
  let mayDiffer: Set<String>
  let queues: QueueScheduling
  let cancellationError: any Error
  let stages: [String]
  let make: Stage

  /// Creates a contract of any number of stages.
  ///
  /// - Parameters:
  ///   - name: The Swift expression of this contract, for the test that a failure prints.
  ///   - intents: The intents of scripts. Half of the steps are intents, and half are answers.
  ///   - steps: Further steps. A step that occurs twice is twice as likely.
  ///   - length: The largest number of steps of a script.
  ///   - mayDiffer: The names of shown values that are not compared. `"events"`, `"requests"` and
  ///     `"callers"` stand for all events, requests and ends of intents.
  ///   - queues: Who runs the blocks of dispatch queues. Pass `.simulated` for stages with queues.
  ///   - cancellationError: The error of a request that is cancelled or still open at the end.
  ///   - stages: The names of the stages.
  ///   - make: Creates the view model of the stage ``Recording/stage``.
  /// - Precondition: `length` is positive, and there is a stage.
  public init(
    _ name: String = "contract", intents: [Intent], also steps: [Step] = [], length: Int = 24,
    mayDiffer: Set<String> = [], queues: QueueScheduling = .real,
    cancellationError: any Error = CancellationError(), stages: [String], make: @escaping Stage
  ) {
    precondition(length > 0, "RecordedContract: the length must be positive, but is \(length)")
    precondition(!stages.isEmpty, "RecordedContract: a contract needs a stage")
    self.name = name
    self.steps = Self.balanced(intents) + steps
    self.length = length
    self.mayDiffer = mayDiffer
    self.queues = queues
    self.cancellationError = cancellationError
    self.stages = stages
    self.make = make
  }

  /// Creates a contract of an old and a new view model.
  public init(
    _ name: String = "contract", intents: [Intent], also steps: [Step] = [], length: Int = 24,
    mayDiffer: Set<String> = [], queues: QueueScheduling = .real,
    cancellationError: any Error = CancellationError(),
    old: @escaping Stage, new: @escaping Stage
  ) {
    self.init(
      name, intents: intents, also: steps, length: length, mayDiffer: mayDiffer, queues: queues,
      cancellationError: cancellationError, stages: ["old", "new"]
    ) { recording in await recording.stage == "old" ? old(recording) : new(recording) }
  }

  /// Every intent and every answer, each about as often as the other.
  private static func balanced(_ intents: [Intent]) -> [Step] {
    let answers = (0..<3).flatMap { call in (0..<8).map { Step.answer(call, with: $0) } }
    let repetitions = max(1, answers.count / max(1, intents.count))
    return Array(repeating: intents.map { .perform($0) }, count: repetitions).flatMap(\.self) + answers
  }
}

extension RecordedContract.Step: CustomStringConvertible {
  /// The step as Swift code.
  public var description: String {
    switch self {
    case .perform(let intent): ".perform(.\(intent))"
    case .answer(let request, let answer): ".answer(\(request), with: \(answer))"
    case .wait(let time): ".wait(milliseconds: \(time))"
    case .leave: ".leave"
    case .restart: ".restart"
    }
  }
}
