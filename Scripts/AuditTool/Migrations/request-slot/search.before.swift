import Foundation

protocol SearchService {
    func find(_ text: String, completion: @escaping (Result<[String], Error>) -> Void)
}

final class SearchViewModel {
    private let service: SearchService
    private let queue = DispatchQueue(label: "search")
    private var requestID = 0  // guarded by `queue`
    private var found: [String] = []

    init(service: SearchService) { self.service = service }

    func stop() {
        queue.async { self.requestID += 1 }
    }

    func search(_ text: String) {
        queue.async {
            self.requestID += 1
            let id = self.requestID
            self.service.find(text) { [weak self] result in
                self?.queue.async {
                    guard let self, self.requestID == id else { return }
                    // A failure keeps what is shown.
                    if case .success(let found) = result {
                        self.found = found
                    }
                }
            }
        }
    }
}
