final class PageViewModel {
  struct State {
    var title = ""
  }

  private(set) var state: State

  init(restored: State?, isFirst: Bool) {
    state = restored ?? State(title: isFirst ? "First" : "Other")
  }
}
