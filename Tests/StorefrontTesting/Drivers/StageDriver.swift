package import AsyncViewModels
import AsyncViewModelsGCD

/// Calls the view model of one stage, so that one test suite, the contract, can test all stages.
///
/// A method that starts a load calls an intent of the view model. In the async stage, the method returns when
/// the intent has taken effect. In the closure and stream stages, the method returns when the intent is in
/// the queue. The returned task ends when the intent ends. In the async stage, that task is the caller of the
/// intent: cancel the task to cancel the caller.
package protocol StageDriver: Sendable {
  associatedtype State: Sendable

  /// The view model, for leak checks.
  var subject: any AnyObject & Sendable { get }

  var state: State { get }
  /// Returns a new stream of states. The closure stage delivers every state to it and ignores `buffering`.
  func states(_ buffering: BufferingPolicy) -> AsyncStream<State>

  /// Returns when every started intent is over.
  func settle() async
}

extension StageDriver {
  /// Returns a new stream of states, which may skip all but the latest one.
  package func states() -> AsyncStream<State> { states(.latest) }
}

/// A driver that stores its view model.
protocol ModelDriver: StageDriver {
  associatedtype Model: AnyObject & Sendable

  var viewModel: Model { get }
  var intents: StartedIntents { get }
}

extension ModelDriver {
  var subject: any AnyObject & Sendable { viewModel }
  func settle() async { await intents.settle() }
}

extension ModelDriver where Model: StateSource<State> {
  var state: State { viewModel.state }
  func states(_ buffering: BufferingPolicy) -> AsyncStream<State> { viewModel.states(buffering) }
}

extension ModelDriver where Model: CallbackStateSource<State> {
  var state: State { viewModel.state }
  func states(_: BufferingPolicy) -> AsyncStream<State> { boundStates { viewModel.bind($0) } }
}
