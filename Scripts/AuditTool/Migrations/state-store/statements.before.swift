final class Observable<Value> {
  var value: Value { didSet { listener?(value) } }
  var listener: ((Value) -> Void)?
  init(_ value: Value) { self.value = value }
}

final class FeedViewModel {
  let items = Observable<[String]>([])
  let isLoading = Observable<Bool>(false)

  func load(state: String) {
    isLoading.value = true; defer { isLoading.value = false }
    switch state {
    case "a": items.value = []; isLoading.value.toggle()
    default: items.value += [state]
    }
  }
}
