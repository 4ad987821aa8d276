import Foundation

/// Counts.
final class CounterViewModel {
  struct State {
    var count = 0
    var step = 1
  }

  private(set) var state = State() {
    didSet { onChange?(state) }
  }
  /// Called on the main queue.
  var onChange: ((State) -> Void)?
  private let queue = DispatchQueue(label: "counter")

  init(step: Int) {
    state.step = step
  }

  func increment() {
    state.count += state.step
  }
}

@MainActor
final class TitlePresenter {
  enum State { case idle, shown(String) }

  var state: State = .idle
  weak var delegate: AnyObject?
  private let name: String

  init(name: String) {
    state = .shown(name)
    self.name = name
  }
}
