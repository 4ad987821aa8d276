import AsyncViewModelsGCD
import Foundation

protocol SearchService {
    func find(_ text: String, completion: @escaping (Result<[String], Error>) -> Void)
}

final class SearchViewModel {
    private let service: SearchService
    private let queue = DispatchQueue(label: "search")
    private lazy var requestSlot = RequestSlot(queue: queue)  // guarded by `queue`
    private var found: [String] = []

    init(service: SearchService) { self.service = service }

    func stop() {
        queue.async { _ = self.requestSlot.cancel() }
    }

    func search(_ text: String) {
        queue.async {
            self.requestSlot.run { completion in
                self.service.find(text, completion: completion)
                return .finished
            } receive: { [weak self] result in
                guard let self else { return }
                // A failure keeps what is shown.
                if case .success(let found) = result {
                    self.found = found
                }
            }
        }
    }
}
