import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization

/// A call whose completion handler the test calls at any time, any number of times, or never.
final class LegacyCall<Value: Sendable>: Sendable {
  typealias Completion = @Sendable (Result<Value, any Error>) -> Void

  private struct State {
    var completion: Completion?
    var startCount = 0
    var cancelCount = 0
  }

  private let state = Mutex(State())
  /// Opens when the call has started.
  let started = Gate()

  var startCount: Int { state.withLock { $0.startCount } }
  var cancelCount: Int { state.withLock { $0.cancelCount } }

  func start(_ completion: @escaping Completion) -> CancellationToken {
    state.withLock { state in
      state.completion = completion
      state.startCount += 1
    }
    started.open()
    return CancellationToken { [weak self] in self?.state.withLock { $0.cancelCount += 1 } }
  }

  func answer(_ result: Result<Value, any Error>) {
    state.withLock { $0.completion }?(result)
  }

  func answer(_ value: Value) { answer(.success(value)) }
}
