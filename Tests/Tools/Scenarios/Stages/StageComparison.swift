import AsyncViewModels
import AsyncViewModelsSimulation
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import Synchronization

/// A feature whose stages are compared: how a script drives its view model, and what the view
/// model shows.
///
/// To compare another feature, write a type that conforms, and list it in
/// `Scenario.comparedStages`.
protocol ComparedFeature: SendableMetatype {
  associatedtype Intent: Sendable
  associatedtype State: Sendable

  /// The steps of scripts. A step that occurs twice is twice as likely.
  static var steps: [Step<Intent>] { get }
  /// Whether the view model reads for the account of the intent, as it writes.
  static var readsHaveAccounts: Bool { get }
  /// The number of ``StageSetup/variant``.
  static var variants: Int { get }

  /// Creates the view model of one stage.
  init(in surroundings: Surroundings)

  /// Starts an intent, and returns how to wait for its end, if it has an end.
  func perform(_ intent: Intent) async -> IntentOutcome?
  var states: AsyncStream<State> { get }
  /// What a screen shows of a state, in lines that begin with different words.
  static func lines(of state: State) -> [String]
}

extension ComparedFeature {
  static var readsHaveAccounts: Bool { false }
  static var variants: Int { 2 }
}

/// Returns how to wait for an intent.
func outcome<Failure: Error>(of task: Task<Void, Failure>) -> IntentOutcome { { _ = try await task.value } }

/// Returns the outcome of an intent that has ended.
func outcome(of intent: () throws -> Void) -> IntentOutcome {
  let result = Result { try intent() }
  return { try result.get() }
}

/// Runs a script in all stages of a feature. Fails the world at the first step after which two
/// stages differ.
///
/// ```swift
/// await compareStages(of: DetailComparison.self, StageSetup(), [
///   .perform(.load), .answer(0, with: 0), .publish(product: 1),
/// ], in: world)
/// ```
///
/// A step begins when no stage has work left. So the states within a step, which a stage can skip,
/// are not compared.
///
/// The callers of intents are not cancelled: only in the async stage, that ends the work.
func compareStages<Feature: ComparedFeature>(
  of feature: Feature.Type, _ setup: StageSetup, _ script: [Step<Feature.Intent>],
  in world: SimulatedWorld
) async {
  var setup = setup
  setup.readsHaveAccounts = Feature.readsHaveAccounts
  // So that no account of the script is the newest one.
  AccountVersion.advance()
  var runs = MigrationStage.allCases.map { StageRun<Feature>(Surroundings($0, setup, in: world)) }
  var former: [StageRun<Feature>] = []
  var account = 0
  for number in script.indices {
    let step = script[number]
    switch step {
    case .changeAccount: account = min(account + 1, setup.accounts.count - 1)
    case .wait(let time): try? await world.clock.sleep(for: .milliseconds(time))
    case .leave:
      for run in runs { run.close() }
      await world.settle(movingTime: false)
    case .restart:
      former += runs
      runs = runs.map { StageRun($0.surroundings.restarted()) }
    case .perform, .answer, .publish, .endFeed: break
    }
    for run in runs { await run.take(step, number, for: setup.accounts[account]) }
    await world.settle(movingTime: false)
    if let difference = difference(between: runs) {
      world.fail(
        """
        the stages of \(feature) differ after the last step of this script:

          await compareStages(of: \(feature).self, \(setup.code), [
        \(script[...number].map { "    \($0)," }.joined(separator: "\n"))
          ], in: world)

        \(difference)
        """)
      break
    }
  }
  // Each intent ends, or the world fails.
  former += runs
  repeat { await world.settle() } while former.count { $0.surroundings.failAll() } > 0
  for run in former { run.close() }
}

/// Runs a random script in all stages of a feature.
///
/// The simulation reduces the script of a failing run: the first choice of a step is to do nothing.
func compareStages<Feature: ComparedFeature>(of feature: Feature.Type, in world: SimulatedWorld) async {
  let script = (0..<scriptLength).compactMap { _ in
    world.choose(from: [nil] + Feature.steps.map(Optional.some))
  }
  let setup = StageSetup(hearsCancellation: world.flip(), variant: world.choose(Feature.variants))
  await compareStages(of: feature, setup, script, in: world)
}

private let scriptLength = 24

/// The lines in which stages differ, or `nil` if there are none.
private func difference<Feature>(between runs: [StageRun<Feature>]) -> String? {
  let all = runs.map { run in (stage: run.surroundings.stage, lines: run.endStep()) }
  guard all.contains(where: { $0.lines != all[0].lines }) else { return nil }
  let common = all.map { Set($0.lines) }.reduce(Set(all[0].lines)) { $0.intersection($1) }
  return all.map { stage, lines in
    (["\(stage):"] + lines.filter { !common.contains($0) }).joined(separator: "\n  ")
  }.joined(separator: "\n")
}

/// A view model of one stage in its surroundings.
private final class StageRun<Feature: ComparedFeature> {
  let surroundings: Surroundings
  private var feature: Feature?
  private var shown = EventLog<Feature.State>()

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  func take(_ step: Step<Feature.Intent>, _ number: Int, for account: AccountVersion) async {
    if feature == nil { account.run { open() } }
    switch step {
    case .perform(let intent):
      let outcome = await account.run { await feature?.perform(intent) }
      if let outcome = outcome ?? nil { surroundings.wait(for: "\(intent)", outcome) }
    case .answer(let call, let answer): surroundings.answer(call, with: answer)
    case .publish(let product):
      surroundings.feed.publish(ProductUpdate(product: .init(rawValue: product), stock: 20 + number))
    case .endFeed(let fails): surroundings.feed.end(with: fails ? .offline : nil)
    case .wait, .changeAccount, .leave, .restart: break
    }
  }

  private func open() {
    let feature = Feature(in: surroundings)
    self.feature = feature
    shown = EventLog()
    surroundings.read(feature.states) { [shown] in shown.append($0) }
  }

  func close() {
    feature = nil
    surroundings.endReaders()
  }

  func endStep() -> [String] {
    surroundings.endStep()
    return (shown.values.last.map(Feature.lines) ?? []) + surroundings.lines
  }
}

/// The text of an error in a line of a state.
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
