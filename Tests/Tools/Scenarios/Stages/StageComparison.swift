import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontServices
import StorefrontTesting

/// A feature whose stages are compared: how a script drives its view model, and what the view
/// model shows.
///
/// To compare another feature, write a type that conforms, and list it in
/// `Scenario.comparedStages`.
protocol ComparedFeature: Sendable {
  associatedtype Intent: Sendable
  associatedtype State: Sendable

  static var intents: [Intent] { get }
  /// Further steps of scripts.
  static var steps: [StageStep<Intent>] { get }
  /// Whether the view model reads for the account of the intent, as it writes.
  static var readsHaveAccounts: Bool { get }
  /// The number of ``Surroundings/variant``.
  static var variants: Int { get }

  /// Creates the view model of one stage.
  init(in surroundings: Surroundings)

  /// Starts an intent, and returns how to wait for its end, if it has an end.
  func perform(_ intent: Intent) async -> IntentOutcome?
  var states: AsyncStream<State> { get }
  /// What a screen shows of a state.
  static func shown(_ state: State) -> KeyValuePairs<String, Any>
}

/// Waits for the end of an intent, and throws its error.
typealias IntentOutcome = @Sendable () async throws -> Void
typealias StageStep<Intent: Sendable> = RecordedContract<StageIntent<Intent>>.Step

/// What happens in a script: an intent of the model, or an event of its surroundings.
enum StageIntent<Intent: Sendable>: Sendable, CustomStringConvertible {
  case model(Intent)
  /// Publishes a new stock of a product.
  case publish(product: Int)
  case endFeed(fails: Bool)
  /// Another user signs in. Later intents belong to the new account.
  case changeAccount

  var description: String {
    switch self {
    case .model(let intent): "model(.\(intent))"
    case .publish(let product): "publish(product: \(product))"
    case .endFeed(let fails): "endFeed(fails: \(fails))"
    case .changeAccount: "changeAccount"
    }
  }
}

extension ComparedFeature {
  static var readsHaveAccounts: Bool { false }
  static var variants: Int { 2 }

  /// Runs a random script in all stages. Fails the world if two stages differ.
  static func compareStages(in world: SimulatedWorld) async {
    await contract(variant: world.choose(variants)).compare(in: world)
  }

  /// The contract of all stages.
  ///
  /// A feature with changes takes no step `leave`: a change keeps its view model alive, for a time
  /// that differs between the stages.
  static func contract(variant: Int = 0) -> RecordedContract<StageIntent<Intent>> {
    RecordedContract(
      "\(Self.self).contract(variant: \(variant))", intents: intents.map { .model($0) }, also: steps,
      queues: Scenario.queues, cancellationError: ServiceError.offline,
      stages: MigrationStage.allCases.map(\.rawValue)
    ) { recording in
      let surroundings = recording.kept {
        Surroundings(variant, readsHaveAccounts: readsHaveAccounts, recording)
      }
      let feature = surroundings.account.run { Self(in: surroundings) }
      recording.follow(feature.states) { recording.show(shown($0)) }
      return { intent in
        switch intent {
        case .model(let intent):
          let outcome = await surroundings.account.run { await feature.perform(intent) }
          if let outcome { recording.wait(for: "\(intent)", outcome) }
        case .publish(let product): surroundings.publish(product)
        case .endFeed(let fails): surroundings.feed.end(with: fails ? .offline : nil)
        case .changeAccount: surroundings.outside.changeAccount()
        }
      }
    }
  }
}

/// Returns how to wait for an intent.
func outcome<Failure: Error>(of task: Task<Void, Failure>) -> IntentOutcome { { _ = try await task.value } }

/// Returns the outcome of an intent that has ended.
func outcome(of intent: () throws -> Void) -> IntentOutcome {
  let result = Result { try intent() }
  return { try result.get() }
}

/// The text of an error that a screen shows.
func text(_ error: (any Error)?) -> String { error.map { "\($0)" } ?? "none" }

/// The text of what a screen shows.
func text<Value>(_ content: ViewState<Value>, _ line: (Value) -> String) -> String {
  switch content {
  case .idle: "idle"
  case .loading: "loading"
  case .loaded(let value): line(value)
  case .failed(let error): "failed: \(error)"
  case .empty: "empty"
  }
}
