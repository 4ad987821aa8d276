import AsyncViewModels
import Synchronization

/// A view model with a state, and a task that observes another one.
final class ScreenModel: Sendable {
  private let state = ObservableState(0)
  private let tasks = TaskBag()

  var observerCount: Int { state.observerCount }

  /// Observes another screen until this one goes away.
  func follow(_ other: ScreenModel) {
    let values = other.state.stream()
    tasks.run { for await _ in values {} }
  }
}

/// Makes view models, and remembers for whom.
final class MadeModels: Sendable {
  private let log = Mutex<[Int]>([])

  var identities: [Int] { log.withLock { $0 } }

  func make(_ identity: Int) -> ScreenModel {
    log.withLock { $0.append(identity) }
    return ScreenModel()
  }
}
