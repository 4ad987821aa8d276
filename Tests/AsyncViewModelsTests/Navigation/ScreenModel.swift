import AsyncViewModels
import Synchronization

/// A view model with state and with tasks that observe other view models.
final class ScreenModel: Sendable {
  private let state = ObservableState(0)
  private let tasks = TaskBag()

  var observerCount: Int { state.observerCount }

  /// Observes another view model until this view model is deallocated.
  func follow(_ other: ScreenModel) {
    let values = other.state.states()
    tasks.run { for await _ in values {} }
  }
}

/// Creates view models and records their identities.
final class ScreenModelFactory: Sendable {
  private let log = Mutex<[Int]>([])

  var identities: [Int] { log.withLock { $0 } }

  func make(_ identity: Int) -> ScreenModel {
    log.withLock { $0.append(identity) }
    return ScreenModel()
  }
}
