import AsyncViewModelsUI

/// A view model with one number.
final class Counter: Sendable {
  let state = ObservableState(0)
}

/// A screen that begins to observe a counter when the screen loads.
@MainActor
final class CounterScreen: HostedScreen {
  private let counter: Counter
  private(set) var shown: [Int] = []

  init(_ counter: Counter) { self.counter = counter }

  func didLoad(in host: ScreenHost) {
    host.bindings.observe(counter.state.states(), on: self) { screen, value in screen.shown.append(value) }
  }
}
