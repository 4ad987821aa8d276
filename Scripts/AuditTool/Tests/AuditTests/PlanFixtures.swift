@testable import Audit

/// The plan for files of an app. Their paths are below `App`.
func plan(_ files: [String: String]) -> Plan {
  Plan(
    ["App"],
    files.sorted { $0.key < $1.key }.map { SourceFile(path: "App/" + $0.key, text: $0.value, in: "App") }, [])
}

let planService = """
  protocol UserService {
    func user(_ id: Int, completion: @escaping (Result<String, Error>) -> Void)
  }
  final class HTTPUserService: UserService {
    func user(_ id: Int, completion: @escaping (Result<String, Error>) -> Void) { completion(.success("")) }
  }
  """

let planClosures = """
  final class UserViewModel {
    var onChange: ((String) -> Void)?
    private let queue = DispatchQueue(label: "user")
    private let service: UserService
    private var name = ""
    private var isLoading = false
    init(service: UserService) { self.service = service }
    func load() {
      queue.async {
        self.isLoading = true
        self.service.user(1) { [weak self] result in
          self?.name = (try? result.get()) ?? ""
          self?.onChange?(self?.name ?? "")
        }
      }
    }
  }
  """

let planScreen = """
  final class UserViewController: UIViewController {
    private let viewModel: UserViewModel
    override func viewDidLoad() {
      viewModel.onChange = { print($0) }
      viewModel.load()
    }
  }
  """
