import AsyncViewModelsGCD
import Dispatch

protocol FindService {
  func find(_ text: String, completion: @escaping @Sendable (Result<[Int], any Error>) -> Void)
}

final class FindViewModel {
  private let service: any FindService
  private let requestSlot = RequestSlot(queue: .main)
  private(set) var found: [Int] = []
  init(service: any FindService) { self.service = service }

  func type(_ text: String) {
    self.requestSlot.run { completion in
      service.find(text, completion: completion)
      return .finished
    } receive: { [weak self] result in
      guard let self = self else { return }
      self.found = (try? result.get()) ?? []
    }
  }
}
