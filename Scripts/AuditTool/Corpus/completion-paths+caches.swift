//// harmless: the handler of a cached answer ends the path
final class MediaRepository {
  func find(cached: @escaping (Media) -> Void, completion: @escaping (Result<Media, any Error>) -> Void) {
    store.response { result in
      if case .success(let media?) = result { return cached(media) }
      self.network.request { completion($0) }
    }
  }
}

//// hazard: a progress closure is no answer
final class BackupService {
  func restore(progress: @escaping (Double) -> Void, completion: @escaping (Bool) -> Void) {
    store.open { file in
      guard let file else {
        progress(0)
        return  // ← here
      }
      self.read(file) { completion($0) }
    }
  }
}

//// hazard: a cached answer does not excuse the failure of the request
final class HomeViewModel {
  func sectionsDidLoad(_ completion: @escaping () -> Void) {
    sections.request(
      cached: { [weak self] response in
        guard let self, let response else { return }
        self.show(response)
        completion()
      },
      completion: { [weak self] result in
        switch result {
        case .success(let response):
          self?.show(response)
          completion()
        case .failure(let error): print(error)
        }
      })  // ← here
  }
}
