import AsyncViewModels
import Dispatch
import Synchronization

/// A call of a legacy service that can misuse its completion handler, as legacy services do.
final class LegacyCall: Sendable {
  enum Behavior: CaseIterable, Sendable {
    case atOnce, later, onThread, twice, fromTwoThreads, dropped, never

    /// The number of handler calls if the call is not cancelled.
    var calls: Int {
      switch self {
      case .atOnce, .later, .onThread: 1
      case .twice, .fromTwoThreads: 2
      case .dropped, .never: 0
      }
    }
  }

  typealias Handler = @Sendable (Result<Int, any Error>) -> Void

  let behavior: Behavior
  let starts = Tally()
  let cancels = Tally()
  private let handler = Mutex<Handler?>(nil)
  private let started = Mutex(Started())

  private struct Started {
    weak var token: CancellationToken?
  }

  init(_ behavior: Behavior) { self.behavior = behavior }

  /// The token, or nil if it was released.
  var token: CancellationToken? { started.withLock { $0.token } }

  var isReleased: Bool { token == nil }

  func start(_ number: Int, _ handler: @escaping Handler) -> CancellationToken {
    starts.add()
    // As in many services, a cancelled call also calls its handler, immediately and with an error of the
    // service.
    let token = CancellationToken {
      self.cancels.add()
      self.handler.withLock { $0.take() }?(.failure(TestError()))
    }
    started.withLock { $0.token = token }
    switch behavior {
    case .atOnce: handler(.success(number))
    case .later: DispatchQueue.global().async { handler(.success(number)) }
    case .onThread: Task { await onThread { handler(.success(number)) } }
    case .twice:
      handler(.success(number))
      DispatchQueue.global().async { handler(.success(number)) }
    case .fromTwoThreads:
      for _ in 1...2 { DispatchQueue.global().async { handler(.success(number)) } }
    case .dropped: break
    case .never: self.handler.withLock { $0 = handler }
    }
    return token
  }

  /// Calls the handler of a call with the behavior `never`.
  func answer(_ number: Int) { handler.withLock { $0 }?(.success(number)) }

  func releaseHandler() { _ = handler.withLock { $0.take() } }
}
