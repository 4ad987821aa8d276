import AsyncViewModels
import Foundation

final class Observable<Value> {
  var value: Value { didSet { observer?(value) } }
  private var observer: ((Value) -> Void)?

  init(_ value: Value) { self.value = value }

  func observe(_ observer: @escaping (Value) -> Void) {
    self.observer = observer
    observer(value)
  }
}

protocol MoviesViewModelOutput {
  var items: Observable<[String]> { get }
  var isLoading: Observable<Bool> { get }
}

// TODO: [migrate] What guards the properties of `MoviesViewModel` that change, such as the main
// thread? `@unchecked Sendable` claims it.
final class MoviesViewModel: MoviesViewModelOutput, StateSource, @unchecked Sendable {
    // MARK: - Output

    struct State {
        var items: [String] = []
        var isLoading = false
        var error: String? = nil
    }

    let store = StateStore(State())
    private(set) var state: State {
        get { store.value }
        set { store.send(newValue) }
    }

    // Bridge for callers that do not observe `states()`. Delete it after its last caller.
    let items: Observable<[String]> = Observable([])
    let isLoading = Observable(false)
    let error = Observable<String?>(nil)

    private let load: (@escaping ([String]?) -> Void) -> Void

    init(load: @escaping (@escaping ([String]?) -> Void) -> Void) {
        self.load = load
    }

    var isEmpty: Bool { state.items.isEmpty }

    func reload() {
        state.isLoading = true
        isLoading.value = state.isLoading
        load { [weak self] names in
            self?.state.isLoading = false
            if let self { self.isLoading.value = self.state.isLoading }
            guard let self = self else { return }
            if let names { self.state.items = names; self.items.value = self.state.items } else { self.state.error = "Failed"; self.error.value = self.state.error }
        }
    }

    func add(_ name: String) { state.items.append(name); items.value = state.items }
}
