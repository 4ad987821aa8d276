import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Probe {
  static let releasedModels = Probe(
    "released view models", "10 view models released during a request, each with an observer",
    wanted: .exactly(0, of: 10, "leaked")
  ) { stage in
    let tracker = LeakTracker()
    var observers: [StateRecorder<SearchState<TextHit>>] = []
    for _ in 1...10 {
      let service = ScriptedSearchService<TextHit>()
      let search = stage.makeSearch(service: service, clock: VirtualClock())
      tracker.track(search.subject)
      observers.append(StateRecorder(search.states()))
      search.setQuery("a")
      search.submit()
      _ = try await service.calls.next()
    }
    try? await tracker.assertAllReleased()
    return [tracker.survivors.count]
  }

  static let releasedScreens = Probe(
    "released screens",
    "an observer that updates its screen, with a weak reference (`[weak self]`, `observe(on:)`) and a strong "
      + "one (a closure, `Task { for await … }`)",
    wanted: .exactly(0, of: 1, "kept by the weak one"), .exactly(0, of: 1, "by the strong one")
  ) { stage in
    guard stage == .closure else {
      return [await screensKeptWeakly(stage), try await screensKeptStrongly(stage)]
    }
    return [await closureScreensKept(strongly: false), await closureScreensKept(strongly: true)]
  }

  private static func screensKeptWeakly(_ stage: MigrationStage) async -> Int {
    let (tracker, cart) = (LeakTracker(), stage.makeCart())
    func visit() async { await tracker.track(StreamScreen()).follow(cart.states()) }
    await visit()
    try? await tracker.assertAllReleased()
    return tracker.survivors.count
  }

  private static func screensKeptStrongly(_ stage: MigrationStage) async throws -> Int {
    let (cart, shown) = (stage.makeCart(), Tally())
    weak var kept: StreamScreen?
    func visit() async {
      let screen = StreamScreen()
      await screen.followStrongly(cart.states(), shown)
      kept = screen
    }
    await visit()
    try await cart.add(.plenty, quantity: 1)
    // A kept screen shows the change. So the probe does not have to wait for a release that never comes.
    try await until { kept == nil || shown.count > 0 }
    guard let screen = kept else { return 0 }
    await screen.leave()
    return 1
  }

  private static func closureScreensKept(strongly: Bool) async -> Int {
    let callbacks = DispatchQueue(label: "callbacks")
    let cart = CartClosureViewModel(callbackQueue: callbacks)
    weak var kept: ClosureScreen?
    func visit() {
      let screen = ClosureScreen()
      screen.follow(cart, strongly: strongly)
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

    func followStrongly(_ states: AsyncStream<CartState>, _ changes: Tally) {
      let task = Task {
        for await state in states {
          self.shown = state
          if !state.cart.isEmpty { changes.increment() }
        }
      }
      observation = CancellationToken { task.cancel() }
    }

    func leave() { observation = nil }
  }

  /// A screen of the closure stage.
  ///
  /// `@unchecked Sendable`: the callback queue guards `shown`, and only the probe's task uses the token.
  private final class ClosureScreen: @unchecked Sendable {
    private var shown: CartState?
    private var binding: CancellationToken?

    func follow(_ cart: CartClosureViewModel, strongly: Bool) {
      binding = strongly ? cart.bind { self.shown = $0 } : cart.bind { [weak self] in self?.shown = $0 }
    }

    func leave() { binding = nil }
  }
}
