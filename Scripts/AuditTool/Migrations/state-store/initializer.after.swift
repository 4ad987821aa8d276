import AsyncViewModels

// TODO: [migrate] What guards the properties of `PageViewModel` that change, such as the main
// thread? `@unchecked Sendable` claims it.
final class PageViewModel: StateSource, @unchecked Sendable {
  struct State: Sendable {
    var number = 0
    var title = ""
  }

  let store = StateStore(State())

  private(set) var state: State {
    get { store.value }
    set { store.send(newValue) }
  }

  init(store: Int) {
    self.store.update { $0.number = store }; self.store.send(State(number: store)); self.store.update { $0.title.append("a") }; start()
  }

  func start() { state.number += 1 }
}
