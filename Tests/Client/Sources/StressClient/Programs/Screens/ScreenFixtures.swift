import AsyncViewModels
import Synchronization

/// What happened to screens, in order.
@MainActor
final class HookLog {
  private var entries: [String] = []

  func note(_ entry: String) { entries.append(entry) }

  /// Checks what was noted since the last check: entries, with a comma between them.
  func expect(_ expected: String) throws(Unexpected) {
    try expectEqual(entries.joined(separator: ", "), expected, "what happened to the screens")
    entries = []
  }

  func clear() { entries = [] }
}

/// Notes its hooks, and counts itself among the living until it goes away.
@MainActor
final class RecordingScreen: HostedScreen {
  let name: String
  /// What a hook does besides: it is called with the entry.
  var onHook: ((String) -> Void)?
  private(set) var heard = 0
  private let log: HookLog
  private let workload: ScreenWorkload

  init(_ name: String, _ log: HookLog, _ workload: ScreenWorkload) {
    self.name = name
    self.log = log
    self.workload = workload
    workload.living.add()
  }

  func hear(_ news: Int) {
    if news < heard { note("heard old news") }
    heard = news
  }

  private func note(_ hook: String) {
    log.note("\(name) \(hook)")
    onHook?(hook)
  }

  func didLoad(in host: ScreenHost) {
    workload.follow(in: host, on: self)
    note("loaded")
  }

  func willAppear(animated: Bool) { note(animated ? "appearing slowly" : "appearing") }
  func didAppear(animated: Bool) { note(animated ? "visible slowly" : "visible") }
  func willDisappear(animated: Bool) { note(animated ? "disappearing slowly" : "disappearing") }
  func didDisappear(animated: Bool) { note(animated ? "hidden slowly" : "hidden") }
  func didLayout(in size: ViewportSize) { note("laid out \(size.width)") }
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

  /// Cancels what another screen has bound.
  deinit {
    workload.living.add(-1)
    workload.exchange(nil)?.cancel()
  }
}

/// A screen with every hook as the protocol has it.
@MainActor
final class EmptyScreen: HostedScreen {}

/// What all screens of a program observe, while tasks elsewhere change it; and how many of them there are.
final class ScreenWorkload: Sendable {
  typealias Work = @MainActor @Sendable (_ round: Int) async throws -> Void

  let living = Tally()
  let news = ObservableState(0)
  private let latest = Mutex<CancellationToken?>(nil)

  /// What was bound last, by any screen.
  func exchange(_ token: CancellationToken?) -> CancellationToken? {
    latest.withLock { latest in
      defer { latest = token }
      return latest
    }
  }

  /// Binds in each form that a screen has: the end of the host has to end all of them.
  @MainActor
  func follow(in host: ScreenHost, on screen: RecordingScreen) {
    host.bindings.observe(news.stream(), on: screen) { screen, news in screen.hear(news) }
    host.bindings.run { [news] in for await _ in news.values() { await Task.yield() } }
    living.add()
    _ = exchange(host.bindings.insert(CancellationToken { [living] in living.add(-1) }))
  }

  /// Runs `work` in many tasks while others send the news; then all screens and all that they bound have to go.
  func lead(_ load: Load, rounds: Int, _ work: @escaping Work) async throws {
    try await load.inParallel { task in
      for round in 0..<max(1, rounds / load.tasks) {
        if task % 4 == 3 {
          for _ in 0..<64 {
            self.news.update { $0 += 1 }
            if Bool.random() { await Task.yield() }
          }
        } else {
          try await work(round * load.tasks + task)
        }
      }
    }
    await until { self.living.value == 0 && self.news.observerCount == 0 }
  }
}
