import AsyncViewModelsUI
import Synchronization

/// The hook calls of screens, in order.
@MainActor
final class HookLog {
  private var entries: [String] = []
  var isEmpty: Bool { entries.isEmpty }

  func note(_ entry: String) { entries.append(entry) }

  /// Checks that the entries since the last check, joined with commas, equal `expected`.
  func expect(_ expected: String) throws(Unexpected) {
    try expectEqual(entries.joined(separator: ", "), expected, "the hooks that were called")
    entries = []
  }

  func clear() { entries = [] }
}

/// A screen that logs its hooks and counts as live until its `deinit`.
@MainActor
final class RecordingScreen: HostedScreen {
  let name: String
  /// Is called by each hook with the name of the hook.
  var onHook: ((String) -> Void)?
  private(set) var lastValue = 0
  private var announcedSize: ViewportSize?
  private let log: HookLog
  private let workload: ScreenWorkload

  init(_ name: String, _ log: HookLog, _ workload: ScreenWorkload) {
    self.name = name
    self.log = log
    self.workload = workload
    workload.live.add()
  }

  func receive(_ value: Int) {
    if value < lastValue { note("received an older value") }
    lastValue = value
  }

  private func note(_ hook: String) {
    log.note("\(name) \(hook)")
    onHook?(hook)
  }

  func didLoad(in host: ScreenHost) {
    workload.bind(in: host, on: self)
    note("loaded")
  }

  func willAppear(animated: Bool) { note(animated ? "appearing slowly" : "appearing") }
  func didAppear(animated: Bool) { note(animated ? "visible slowly" : "visible") }
  func willDisappear(animated: Bool) { note(animated ? "disappearing slowly" : "disappearing") }
  func didDisappear(animated: Bool) { note(animated ? "hidden slowly" : "hidden") }
  func willLayout(in size: ViewportSize) { announcedSize = size }
  func didLayout(in size: ViewportSize) {
    note(size == announcedSize ? "laid out \(size.width)" : "laid out without an announcement")
  }
  func didReceiveMemoryWarning() { note("warned") }
  func willMove(to parent: ScreenHost?) { note(parent == nil ? "leaving" : "joining") }
  func didMove(to parent: ScreenHost?) { note(parent == nil ? "left" : "joined") }

  func willTransition(to size: ViewportSize, with coordinator: ScreenTransitionCoordinator) {
    note("resizing \(size.width)")
    coordinator.animate { [weak self] coordinator in
      self?.note("alongside \(coordinator.size.width)")
    } completion: { [weak self] coordinator in
      self?.note(coordinator.isCancelled ? "not resized" : "resized")
    }
  }

  /// Cancels the newest binding, which usually belongs to another screen.
  deinit {
    workload.live.add(-1)
    workload.exchange(nil)?.cancel()
  }
}

/// A screen with the default implementation of each hook.
@MainActor
final class EmptyScreen: HostedScreen {}

/// The state that all screens of a program observe while other tasks change it, and a count of the live
/// screens and tokens.
final class ScreenWorkload: Sendable {
  typealias Work = @MainActor @Sendable (_ round: Int) async throws -> Void

  let live = Tally()
  let state = ObservableState(0)
  private let latest = Mutex<CancellationToken?>(nil)

  /// Replaces the token of the newest binding of all screens. `nil` removes the token.
  ///
  /// - Returns: The previous token.
  func exchange(_ token: CancellationToken?) -> CancellationToken? {
    latest.withLock { latest in
      defer { latest = token }
      return latest
    }
  }

  /// Adds three bindings to the host: an observation, a task and a token. The end of the host must end them.
  @MainActor
  func bind(in host: ScreenHost, on screen: RecordingScreen) {
    host.bindings.observe(state.states(), on: screen) { screen, value in screen.receive(value) }
    host.bindings.run { [state] in for await _ in state.values() { await Task.yield() } }
    live.add()
    _ = exchange(host.bindings.insert(CancellationToken { [live] in live.add(-1) }))
  }

  /// Runs `work` in many tasks while other tasks change the state, then waits until all screens and bindings
  /// are released.
  func run(_ load: Load, rounds: Int, _ work: @escaping Work) async throws {
    try await load.inParallel { task in
      for round in 0..<max(1, rounds / load.tasks) {
        if task % 4 == 3 {
          for _ in 0..<64 {
            self.state.update { $0 += 1 }
            if Bool.random() { await Task.yield() }
          }
        } else {
          try await work(round * load.tasks + task)
        }
      }
    }
    await until { self.live.value == 0 && self.state.observerCount == 0 }
  }
}
