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

final class MoviesViewModel: MoviesViewModelOutput {
    // MARK: - Output

    let items: Observable<[String]> = Observable([])
    let isLoading = Observable(false)
    let error = Observable<String?>(nil)

    private let load: (@escaping ([String]?) -> Void) -> Void

    init(load: @escaping (@escaping ([String]?) -> Void) -> Void) {
        self.load = load
    }

    var isEmpty: Bool { items.value.isEmpty }

    func reload() {
        isLoading.value = true
        load { [weak self] names in
            self?.isLoading.value = false
            guard let self = self else { return }
            if let names { self.items.value = names } else { self.error.value = "Failed" }
        }
    }

    func add(_ name: String) { items.value.append(name) }
}
