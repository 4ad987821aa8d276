import Dispatch

final class FindViewModel {
  private var work: DispatchWorkItem?  // the last one
  private let queue = DispatchQueue(label: "find")
  var onFind: ((String) -> Void)?

  func type(_ text: String) {
    work?.cancel()
    let work = DispatchWorkItem { [weak self] in
      self?.onFind?(text)
    }
    self.work = work
    queue.asyncAfter(deadline: .now() + .milliseconds(500), execute: work)
  }
}
