import AsyncViewModelsGCD
import Dispatch

final class FindViewModel {
  private lazy var work = WorkItemDebouncer(delay: .milliseconds(500), queue: queue)  // the last one
  private let queue = DispatchQueue(label: "find")
  var onFind: ((String) -> Void)?

  func type(_ text: String) {
    self.work.submit { [weak self] in
      self?.onFind?(text)
    }
  }
}
