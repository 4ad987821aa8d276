import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import AsyncViewModelsUI
import StorefrontDomain
import StorefrontTesting

extension Scenario {
  static let tornDownWhileLoading = inEachStage(
    "screens/torn-down-while-loading",
    """
    screens are pushed, popped, kept, pushed again, hidden and ended at any moment of their \
    loads: nothing shows after a screen's end, requests are cancelled, and screens and view models are \
    released
    """, tasks: 4
  ) { world, stage, tracker in
    let service = HangingRows(world: world)
    try await leafThrough(world, stage, service, tracker)
    await world.settle()
    world.expectEqual(service.calls.current, 0, "requests left:")
    world.expect(
      world.clock.now.offset < HangingRows.patience, "a request waited for an answer that is no longer wanted"
    )
  }

  @MainActor
  private static func leafThrough(
    _ world: SimulatedWorld, _ stage: MigrationStage, _ service: HangingRows, _ tracker: LeakTracker
  ) async throws {
    @MainActor func makeScreen() -> ScreenHost {
      let host = world.flip() ? MainActor.shared as any Actor : world.isolation
      let model = stage.makeList(service: service, pageSize: 2, isolation: host)
      tracker.track(model.subject)
      return tracker.track(ScreenHost(tracker.track(RowsScreen(model, stage, in: world))))
    }
    let stack = NavigationScreenContainer(root: makeScreen())
    let window = tracker.track(ScreenHost(stack), "window")
    try window.show()

    world.spawn("person", canBeLeftOut: true) { @MainActor in
      var left: ScreenHost?
      for _ in 0..<4 {
        do throws(ScreenHostError) {
          switch world.choose(4) {
          case 0: try stack.push(makeScreen())
          case 1: left = try stack.pop()
          case 2: if let screen = left.take() { try stack.push(screen) }
          default: try stack.popToRoot()
          }
        } catch {
          world.log("refused: \(error)")
        }
        try await world.faults.latency()
      }
    }
    world.spawn("system", canBeLeftOut: true) { @MainActor in
      try await world.faults.latency()
      guard window.phase == .visible else { return }
      try window.hide()
      await Task.yield()
      if window.phase == .hidden { try window.show() }
    }
    for _ in 0..<world.choose(3) { try await world.faults.latency() }
    guard world.flip() else { return }
    if window.phase.isOnDisplay { try window.hide() }
    try window.end()
  }
}

/// A screen that loads rows when it is loaded, and refreshes the rows when it appears again.
///
/// In the async stage, the screen's tasks wait for the load, so that the end of the screen cancels the tasks and the load.
/// In the other stages, only the release of the view model cancels the load, and a waiting task would prevent the release.
@MainActor
private final class RowsScreen: HostedScreen {
  private let model: any ListDriver
  private let waitsForLoads: Bool
  private let world: SimulatedWorld
  private weak var host: ScreenHost?
  private var hasAppeared = false

  init(_ model: any ListDriver, _ stage: MigrationStage, in world: SimulatedWorld) {
    self.model = model
    waitsForLoads = stage == .async
    self.world = world
  }

  func didLoad(in host: ScreenHost) {
    self.host = host
    host.bindings.observe(model.states(), on: self) { screen, _ in screen.render() }
    run { await $0.load() }
  }

  func willAppear(animated: Bool) {
    if hasAppeared { run { await $0.refresh() } }
    hasAppeared = true
  }

  private func run(_ intent: @escaping @Sendable (any ListDriver) async -> Task<Void, Never>) {
    host?.bindings.run { [model, waitsForLoads] in
      let load = await intent(model)
      if waitsForLoads { await load.valueAsCaller() }
    }
  }

  private func render() {
    world.expect(host?.phase.isLoaded == true, "rendered after its end")
  }
}

/// A service that answers soon or only after an hour. A cancelled request ends at once.
private struct HangingRows: PageService, PageClosureService {
  static let patience = Duration.seconds(3_600)

  let world: SimulatedWorld
  let calls = EventLog<Void>()

  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    calls.begin()
    defer { calls.end() }
    if world.flip() { try await world.clock.sleep(for: Self.patience) }
    try await world.faults.latency()
    return Page(request, of: (0..<3).map { CatalogProduct($0) })
  }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    .run(completion: completion) { try await page(request) }
  }
}
