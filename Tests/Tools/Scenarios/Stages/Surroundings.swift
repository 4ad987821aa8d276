import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import Synchronization

/// What a view model of one stage sees of the world: services, a storage, a feed and callers.
///
/// Records each call, and answers it when the script says so.
final class Surroundings: Sendable {
  typealias Completion<Value: Sendable> = @Sendable (Result<Value, any Error>) -> Void

  /// A call, and its possible answers. The contents of an answer depend on the number of the call.
  struct Request<Value: Sendable>: Sendable {
    let text: String
    /// Whether the call is made for a certain account. Most reads are made for the newest one.
    var hasAccount = false
    let answers: @Sendable (_ number: Int) -> [Result<Value, any Error>]
  }

  private struct Call {
    let text: String
    var isCancelled = false
    var answer: Int?
    /// Answers the call. `nil` once it has an answer.
    var complete: (@Sendable (_ answer: Int?, _ number: Int) -> Void)?

    var line: String {
      "\(text)\(isCancelled ? ", cancelled" : "")\(answer.map { ", answer \($0)" } ?? "")"
    }
  }

  private struct State {
    var calls: [Call] = []
    /// The calls in an order that does not depend on the interleaving within a step.
    var order: [Int] = []
    var callers: [(intent: String, outcome: String)] = []
    var events: [String] = []
    var keys: [IdempotencyKey: Int] = [:]
    var tasks: [SimulatedTask] = []
    var savedCart = SavedCart()
    var savedDraft: SavedProfileDraft?
  }

  let world: SimulatedWorld
  let stage: MigrationStage
  let setup: StageSetup
  let feed = InMemoryProductFeed()
  let center = CountingNotificationCenter()
  private let state: Mutex<State>

  convenience init(_ stage: MigrationStage, _ setup: StageSetup, in world: SimulatedWorld) {
    self.init(stage, setup, in: world, State())
  }

  private init(_ stage: MigrationStage, _ setup: StageSetup, in world: SimulatedWorld, _ state: State) {
    self.world = world
    self.stage = stage
    self.setup = setup
    self.state = Mutex(state)
  }

  /// The surroundings of the next run of the app: only the contents of the storage remain.
  func restarted() -> Surroundings {
    var next = State()
    state.withLock { (next.keys, next.savedCart, next.savedDraft) = ($0.keys, $0.savedCart, $0.savedDraft) }
    return Surroundings(stage, setup, in: world, next)
  }

  // MARK: - Calls

  func ask<Value>(_ request: Request<Value>) async throws -> Value {
    let id = begin(request)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        open(id, request) { continuation.resume(with: $0) }
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  func ask<Value>(_ request: Request<Value>, _ completion: @escaping Completion<Value>) -> CancellationToken {
    let id = begin(request)
    open(id, request, completion)
    return CancellationToken { [self] in cancel(id) }
  }

  private func begin<Value>(_ request: Request<Value>) -> Int {
    let account = request.hasAccount ? " for \(setup.name(of: .current))" : ""
    return state.withLock { state in
      state.calls.append(Call(text: request.text + account))
      return state.calls.count - 1
    }
  }

  private func open<Value>(
    _ id: Int, _ request: Request<Value>, _ completion: @escaping Completion<Value>
  ) {
    state.withLock {
      $0.calls[id].complete = { answer, number in
        guard let answer else { return completion(.failure(ServiceError.offline)) }
        let answers = request.answers(number)
        completion(answers[answer % answers.count])
      }
    }
  }

  private func cancel(_ id: Int) {
    let complete = state.withLock { state -> (@Sendable (Int?, Int) -> Void)? in
      // A token also cancels when it is released. After the answer, that is no cancellation.
      guard state.calls[id].complete != nil else { return nil }
      state.calls[id].isCancelled = true
      return setup.hearsCancellation ? state.calls[id].complete.take() : nil
    }
    complete?(nil, 0)
  }

  /// Answers an open call, if any. The calls are counted in the order of ``lines``.
  func answer(_ call: Int, with answer: Int) {
    let (complete, number) = state.withLock { state in
      let open = state.order.indices.filter { state.calls[state.order[$0]].complete != nil }
      guard !open.isEmpty else { return ((@Sendable (Int?, Int) -> Void)?.none, 0) }
      let number = open[call % open.count]
      state.calls[state.order[number]].answer = answer
      return (state.calls[state.order[number]].complete.take(), number)
    }
    complete?(answer, number)
  }

  /// Fails all open calls. Returns whether there were any.
  func failAll() -> Bool {
    let all = state.withLock { state in state.calls.indices.compactMap { state.calls[$0].complete.take() } }
    for complete in all { complete(nil, 0) }
    return !all.isEmpty
  }

  /// A number instead of a random key, which differs between the stages.
  func number(of key: IdempotencyKey) -> Int {
    state.withLock { state in
      let number = state.keys[key] ?? state.keys.count
      state.keys[key] = number
      return number
    }
  }

  // MARK: - Storage

  var savedCart: SavedCart { state.withLock { $0.savedCart } }
  var savedDraft: SavedProfileDraft? { state.withLock { $0.savedDraft } }
  func store(_ cart: SavedCart) { state.withLock { $0.savedCart = cart } }
  func store(_ draft: SavedProfileDraft?) { state.withLock { $0.savedDraft = draft } }

  // MARK: - Callers and observers

  /// Records the outcome of an intent.
  func wait(for intent: String, _ outcome: @escaping IntentOutcome) {
    let index = state.withLock { state in
      state.callers.append((intent, "waits"))
      return state.callers.count - 1
    }
    world.spawn("\(stage): \(intent)") { [self] in
      let text: String
      do {
        try await outcome()
        text = "done"
      } catch {
        text = "\(error)"
      }
      state.withLock { $0.callers[index].outcome = text }
    }
  }

  /// Records the events of a stream.
  func record<Event: Sendable>(_ events: AsyncStream<Event>) {
    read(events) { [self] event in state.withLock { $0.events.append("\(event)") } }
  }

  /// Reads a stream until ``endReaders()``.
  func read<Element: Sendable>(
    _ stream: AsyncStream<Element>, _ receive: @escaping @Sendable (Element) -> Void
  ) {
    let task = world.spawn("\(stage): reads") { for await element in stream { receive(element) } }
    state.withLock { $0.tasks.append(task) }
  }

  func endReaders() {
    for task in state.withLock({ exchange(&$0.tasks, with: []) }) { task.cancel() }
  }

  /// Ends a step: puts its calls in the order of their texts.
  func endStep() {
    state.withLock { state in
      let calls = state.calls
      state.order += calls.indices.dropFirst(state.order.count).sorted { calls[$0].line < calls[$1].line }
    }
  }

  /// What the stages are compared by, beside their states.
  var lines: [String] {
    let stored = [
      "stored cart: \(line(of: savedCart))", "stored draft: \(savedDraft.map { "\($0)" } ?? "none")",
    ]
    return state.withLock { state in
      var lines = stored + state.order.enumerated().map { "call \($0): \(state.calls[$1].line)" }
      lines += state.callers.enumerated().map { "caller \($0) of \($1.intent): \($1.outcome)" }
      lines += state.events.enumerated().map { "event \($0): \($1)" }
      lines.append("readers of the feed: \(feed.readerCount)")
      return lines
    }
  }
}

/// Waits for the end of an intent, and throws its error.
typealias IntentOutcome = @Sendable () async throws -> Void

/// What the surroundings of all stages have in common.
struct StageSetup: Sendable {
  /// Whether a call ends when it is cancelled. Otherwise, it can be answered later.
  var hearsCancellation = false
  /// Whether a view model reads for a certain account.
  var readsHaveAccounts = false
  /// Which services a view model has. Each feature has its own variants.
  var variant = 0
  /// The accounts of a script, in their order.
  let accounts = (0..<3).map { _ in AccountVersion.advance() }

  /// The setup as Swift code.
  var code: String { "StageSetup(hearsCancellation: \(hearsCancellation), variant: \(variant))" }

  func name(of account: AccountVersion) -> String {
    accounts.firstIndex(of: account).map { "account \($0)" } ?? "an unknown account"
  }
}
