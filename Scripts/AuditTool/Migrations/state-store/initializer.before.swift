final class PageViewModel {
  struct State: Sendable {
    var number = 0
    var title = ""
  }

  private(set) var state = State()

  init(store: Int) {
    state.number = store; state = State(number: store); state.title.append("a"); start()
  }

  func start() { state.number += 1 }
}
