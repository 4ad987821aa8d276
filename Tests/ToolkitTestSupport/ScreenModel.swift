import AsyncViewModels
import Synchronization

/// A view model with state and with tasks that observe other view models.
package final class ScreenModel: Sendable {
  private let state = StateStore(0)
  private let tasks = TaskBag()

  package init() {}

  package var observerCount: Int { state.observerCount }

  /// Observes another view model until this view model is deallocated.
  package func follow(_ other: ScreenModel) {
    let values = other.state.states()
    tasks.run { for await _ in values {} }
  }
}

/// Creates view models and records their identities.
package final class ScreenModelFactory: Sendable {
  private let log = Mutex<[Int]>([])

  package init() {}

  package var identities: [Int] { log.withLock { $0 } }

  package func make(_ identity: Int) -> ScreenModel {
    log.withLock { $0.append(identity) }
    return ScreenModel()
  }
}
