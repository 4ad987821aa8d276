import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Dispatch

/// A screen on the main thread that owns a view model and observes it, as the guides of this package show.
@MainActor
final class BoundScreen<State: Sendable> {
  private let model: any Sendable
  private var binding: CancellationToken?

  /// Creates a screen of the closure stage. The callbacks arrive on the main queue.
  init<Model: Sendable>(
    _ model: Model, _ observer: ScreenObserver,
    bind: (Model, @escaping @Sendable (State) -> Void) -> CancellationToken
  ) {
    self.model = model
    binding = bind(model) { [weak self] state in MainActor.assumeIsolated { self?.render(state, observer) } }
  }

  /// Creates a screen of the stream stage or the async stage.
  init<Model: StateSource<State>>(_ model: Model, _ observer: ScreenObserver) {
    self.model = model
    binding = model.observe(on: self) { screen, state in screen.render(state, observer) }
  }

  private func render(_ state: State, _ observer: ScreenObserver) {
    blackHole(state)
    observer.arrivals.arrive()
  }
}

/// What the observer of a screen captures. Tells when the observer receives a state, and when it is released.
final class ScreenObserver: Sendable {
  let arrivals: Latch
  private let releases: Latch

  init(arrivals: Latch, releases: Latch) { (self.arrivals, self.releases) = (arrivals, releases) }

  deinit { releases.arrive() }
}

/// Opens and closes screens on the main thread.
@MainActor
final class Screens {
  private let make: @MainActor (ScreenObserver) -> any AnyObject
  private var open: [any AnyObject] = []
  private let (arrivals, releases) = (Latch(), Latch())

  init(_ make: @escaping @MainActor (ScreenObserver) -> any AnyObject) { self.make = make }

  /// Creates screens with their view models, and waits until each has received its first state.
  func open(_ count: Int) async {
    open.reserveCapacity(count)
    arrivals.expect(count)
    releases.expect(count)
    for _ in 0..<count { open.append(make(ScreenObserver(arrivals: arrivals, releases: releases))) }
    await arrivals.wait()
  }

  /// Releases all screens, and waits until their observers are released, too.
  func close() async {
    open.removeAll(keepingCapacity: true)
    await releases.wait()
  }
}
