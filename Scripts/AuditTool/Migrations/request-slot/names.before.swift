import Dispatch

protocol FindService {
  func find(_ text: String, completion: @escaping @Sendable (Result<[Int], any Error>) -> Void)
}

final class FindViewModel {
  private let service: any FindService
  private var requestID = 0
  private(set) var found: [Int] = []
  init(service: any FindService) { self.service = service }

  func type(_ text: String) {
    requestID += 1
    let requestID = self.requestID
    service.find(text) { [weak self] result in
      DispatchQueue.main.async {
        guard let self = self, requestID == self.requestID else { return }
        self.found = (try? result.get()) ?? []
      }
    }
  }
}
