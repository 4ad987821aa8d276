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

  /// What the list shows.
  private(set) var items: [Item] = [] {
    didSet { onItemsChange?(items) }
  }
  private(set) var isLoading = false {
    didSet {
      // Only changes are interesting.
      guard oldValue != isLoading else { return }
      onLoadingChange?(isLoading)
    }
  }
  var query: String = ""  // as typed
  private(set) var title: String
  private var error: Error?  // guarded by `queue`
  private var limit = ListViewModel.pageSize

  var onItemsChange: (([Item]) -> Void)?
  var onLoadingChange: ((Bool) -> Void)?
  weak var delegate: ListViewModelDelegate?
  private let service: ItemService
  private let queue = DispatchQueue(label: "list")
  private var requestID = 0

  init(title: String, service: ItemService) {
    self.title = title
    self.service = service
    super.init()
    isLoading = false
  }

  var message: String? {
    if let error { return "\(error)" }
    return items.isEmpty ? "Empty" : nil
  }

  func load() {
    isLoading = true
    requestID += 1
    let id = requestID
    service.items { [weak self, limit] result in
      guard let self, id == self.requestID else { return }
      isLoading = false
      switch result {
      case .success(let items): self.items = Array(items.prefix(limit))
      case .failure(let error): self.error = error
      }
      self.limit += 1
      self.delegate?.listViewModelDidChange(self)
    }
  }

  func clear() {
    items.removeAll()
    error = nil
    let query = "x"
    print(query, self.query, title)
  }
}
