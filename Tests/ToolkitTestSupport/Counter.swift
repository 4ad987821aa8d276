package import AsyncViewModelsUI

/// A view model with one number.
package final class Counter: Sendable {
  package let state = StateStore(0)

  package init() {}
}

/// A screen that begins to observe a counter when the screen loads.
@MainActor
package final class CounterScreen: HostedScreen {
  private let counter: Counter
  package private(set) var shown: [Int] = []

  package init(_ counter: Counter) { self.counter = counter }

  package func didLoad(in host: ScreenHost) {
    host.bindings.observe(counter.state.states(), on: self) { screen, value in screen.shown.append(value) }
  }
}
