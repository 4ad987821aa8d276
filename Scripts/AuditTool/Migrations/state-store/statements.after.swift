import AsyncViewModels

final class Observable<Value> {
  var value: Value { didSet { listener?(value) } }
  var listener: ((Value) -> Void)?
  init(_ value: Value) { self.value = value }
}

// TODO: [migrate] What guards the properties of `FeedViewModel` that change, such as the main
// thread? `@unchecked Sendable` claims it.
final class FeedViewModel: StateSource, @unchecked Sendable {
  struct State {
    var items: [String] = []
    var isLoading: Bool = false
  }

  let store = StateStore(State())
  private(set) var state: State {
    get { store.value }
    set { store.send(newValue) }
  }

  // Bridge for callers that do not observe `states()`. Delete it after its last caller.
  let items = Observable<[String]>([])
  let isLoading = Observable<Bool>(false)

  func load(state: String) {
    self.state.isLoading = true; isLoading.value = self.state.isLoading; defer { self.state.isLoading = false; isLoading.value = self.state.isLoading }
    switch state {
    case "a": self.state.items = []; items.value = self.state.items; self.state.isLoading.toggle()
    isLoading.value = self.state.isLoading
    default: self.state.items += [state]
    items.value = self.state.items
    }
  }
}
