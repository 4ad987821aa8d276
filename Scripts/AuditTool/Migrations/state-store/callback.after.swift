import AsyncViewModels
import Foundation

// TODO: [migrate] Does `queue` guard all properties of `CounterViewModel` that change?
// `@unchecked Sendable` claims it.
/// Counts.
final class CounterViewModel: StateSource, @unchecked Sendable {
  struct State {
    var count = 0
    var step = 1
  }

  let store = StateStore(State())

  private(set) var state: State {
    get { store.value }
    set {
      store.send(newValue)
      onChange?(state)
    }
  }
  // Bridge for callers that do not observe `states()`. Delete it after its last caller.
  /// Called on the main queue.
  var onChange: ((State) -> Void)?
  private let queue = DispatchQueue(label: "counter")

  init(step: Int) {
    store.update { $0.step = step }
  }

  func increment() {
    state.count += state.step
  }
}

@MainActor
final class TitlePresenter: StateSource {
  enum State { case idle, shown(String) }

  nonisolated let store = StateStore<State>(.idle)

  var state: State {
    get { store.value }
    set { store.send(newValue) }
  }
  // Bridge for callers that do not observe `states()`. Delete it after its last caller.
  weak var delegate: AnyObject?
  private let name: String

  init(name: String) {
    store.send(.shown(name))
    self.name = name
  }
}
