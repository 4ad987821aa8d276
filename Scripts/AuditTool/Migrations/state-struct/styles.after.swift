import Foundation

struct Item: Equatable {
  var name = ""
}

protocol ItemService: AnyObject {
  func items(completion: @escaping (Result<[Item], Error>) -> Void)
}

protocol ListViewModelDelegate: AnyObject {
  func listViewModelDidChange(_ model: ListViewModel)
}

final class ListViewModel: NSObject {
  static let pageSize = 20

  // TODO: [migrate] Does `queue` guard all of `State`? Two threads must not use it at once.
  struct State {
    var items: [Item] = []
    var isLoading = false
    var query: String = ""
    var title: String
    var error: Error?  // guarded by `queue`
    var limit = ListViewModel.pageSize
  }

  private(set) var state: State

  /// What the list shows.
  private(set) var items: [Item] {
    get { state.items }
    set {
      state.items = newValue
      onItemsChange?(state.items)
    }
  }
  private(set) var isLoading: Bool {
    get { state.isLoading }
    set {
      let oldValue = state.isLoading
      state.isLoading = newValue
      // Only changes are interesting.
      guard oldValue != state.isLoading else { return }
      onLoadingChange?(state.isLoading)
    }
  }
  var query: String {
    get { state.query }
    set { state.query = newValue }
  }  // as typed
  var title: String { state.title }

  var onItemsChange: (([Item]) -> Void)?
  var onLoadingChange: ((Bool) -> Void)?
  weak var delegate: ListViewModelDelegate?
  private let service: ItemService
  private let queue = DispatchQueue(label: "list")
  private var requestID = 0

  init(title: String, service: ItemService) {
    self.state = State(title: title)
    self.service = service
    super.init()
    state.isLoading = false
  }

  var message: String? {
    if let error = state.error { return "\(error)" }
    return items.isEmpty ? "Empty" : nil
  }

  func load() {
    isLoading = true
    requestID += 1
    let id = requestID
    service.items { [weak self, limit = state.limit] result in
      guard let self, id == self.requestID else { return }
      isLoading = false
      switch result {
      case .success(let items): self.items = Array(items.prefix(limit))
      case .failure(let error): self.state.error = error
      }
      self.state.limit += 1
      self.delegate?.listViewModelDidChange(self)
    }
  }

  func clear() {
    items.removeAll()
    state.error = nil
    let query = "x"
    print(query, self.state.query, state.title)
  }
}
