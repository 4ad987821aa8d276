import AsyncViewModels

// TODO: [migrate] What guards the properties of `PageViewModel` that change, such as the main
// thread? `@unchecked Sendable` claims it.
final class PageViewModel: StateSource, @unchecked Sendable {
  struct State {
    var title = ""
  }

  let store: StateStore<State>

  private(set) var state: State {
    get { store.value }
    set { store.send(newValue) }
  }

  init(restored: State?, isFirst: Bool) {
    store = StateStore(restored ?? State(title: isFirst ? "First" : "Other"))
  }
}
