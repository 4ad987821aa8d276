import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let retention = Probe(
    "retention",
    "10 view models released during a request, each with an observer; a screen that its observer updates"
  ) { stage in
    let models = try await searchesKept(stage)
    let screens = await screensKept(stage)
    let verdict: Finding.Verdict = models > 0 ? .fails : screens > 0 ? .limited : .works
    return Finding(verdict, "\(models) of 10 models leaked, \(screens) of 1 screen")
  }

  private static func searchesKept(_ stage: MigrationStage) async throws -> Int {
    let tracker = LeakTracker()
    var observers: [StateRecorder<SearchState<String>>] = []
    for _ in 1...10 {
      let service = ScriptedSearchService<String>()
      let search = stage.makeSearch(service: service, clock: VirtualClock())
      tracker.track(search.subject)
      observers.append(StateRecorder(search.states()))
      search.setQuery("a")
      search.submit()
      _ = try await service.calls.next()
    }
    try? await tracker.assertAllReleased()
    return tracker.survivors.count
  }

  private static func screensKept(_ stage: MigrationStage) async -> Int {
    let callbacks = DispatchQueue(label: "callbacks")
    guard stage == .closure else {
      let tracker = LeakTracker()
      let cart = stage.makeCart()
      func visit() async {
        let screen = tracker.track(StreamScreen())
        await screen.follow(cart.states())
      }
      await visit()
      try? await tracker.assertAllReleased()
      return tracker.survivors.count
    }
    let cart = CartClosureViewModel(callbackQueue: callbacks)
    weak var kept: ClosureScreen?
    func visit() {
      let screen = ClosureScreen(callbacks)
      screen.follow(cart)
      kept = screen
    }
    visit()
    await drain(callbacks)
    defer { kept?.leave() }
    return kept == nil ? 0 : 1
  }

  /// A screen of the stream and async stages.
  private actor StreamScreen {
    private var shown: CartState?
    private var observation: CancellationToken?

    func follow(_ states: AsyncStream<CartState>) {
      observation = states.observe(on: self) { screen, state in screen.shown = state }
    }
  }

  /// A screen of the closure stage. Its observer captures the screen strongly, as a closure without `[weak self]` does.
  ///
  /// `@unchecked Sendable`: the callback queue guards `shown`, and only the probe's task uses the token.
  private final class ClosureScreen: @unchecked Sendable {
    private let queue: DispatchQueue
    private var shown: CartState?
    private var binding: CancellationToken?

    init(_ queue: DispatchQueue) { self.queue = queue }

    func follow(_ cart: CartClosureViewModel) {
      binding = cart.bind { self.shown = $0 }
    }

    func leave() { binding = nil }
  }
}
