import AsyncViewModelsTesting
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsUI

/// A random script over one container: steps from outside, and changes that hooks make. The script begins before the
/// container loads.
@MainActor
final class ContainerScript {
  enum Kind: CaseIterable, Sendable { case stack, tabs, state, embed }

  struct Failure: Error {
    let message: String
  }

  private var numbers: SplitMix64
  private let kind: Kind
  private var hosts: [WeakHost] = []
  private var kept: [ScreenHost] = []
  private var root: ScreenHost?
  private var change: (@MainActor () throws(ScreenHostError) -> Void)?
  /// How many changes hooks may still make.
  private var hookChanges = 0
  private var unexpected: [ScreenHostError] = []
  /// The last change of the keyboard that the script sent to the root.
  private var keyboard = KeyboardChange(.didHide)

  private init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    numbers = SplitMix64(seed: seed)
  }

  /// Runs the script of a seed.
  ///
  /// - Throws: ``Failure`` if two screens are on display after a step that ended, if a screen on display does not have
  ///   the last keyboard or the last size, or if a change that a hook makes throws another error than on screen.
  static func run(_ kind: Kind, seed: UInt64) async throws {
    let script = ContainerScript(kind, seed: seed)
    try script.run()
    script.change = nil
    try await script.checkStreams()
  }

  private func run() throws {
    let root = try makeContainer()
    self.root = root
    for _ in 0..<12 {
      hookChanges = number(4)
      step(root)
      try check(root)
    }
    hookChanges = 0
    if root.phase != .ended {
      if !root.phase.isOnDisplay { try? root.drive(to: .appearing) }
      try? root.drive(to: .visible)
      try check(root)
      guard kind == .embed || root.phase != .visible || visibleCount > 0 else {
        throw Failure(message: "no screen is visible")
      }
    }
  }

  private func step(_ root: ScreenHost) {
    do throws(ScreenHostError) {
      switch number(10) {
      case 0: try root.drive(to: .loaded)
      case 1, 2: try root.show()
      case 3: try root.hide()
      case 4: try root.drive(to: .appearing)
      case 5: try root.drive(to: .visible)
      case 6: changeKeyboard(of: root)
      case 7: try root.resize(to: size())
      default: try change?()
      }
    } catch {
      // The step was rejected. The check shows whether the screens are still consistent.
    }
  }

  /// Makes a random change of the container in a hook.
  private func hook() {
    guard hookChanges > 0, number(3) == 0 else { return }
    hookChanges -= 1
    do throws(ScreenHostError) {
      switch number(14) {
      case 0: try root?.hide()
      case 1: try root?.end()
      case 2: try root?.show()
      case 3: if let root { changeKeyboard(of: root) }
      case 4: try root?.resize(to: size())
      default: return changeInHook()
      }
    } catch {
      // The life-cycle step is not possible now.
    }
  }

  private func changeKeyboard(of root: ScreenHost) {
    let isShown = number(2) == 0
    keyboard = KeyboardChange(isShown ? .didShow : .didHide, height: isShown ? Double(1 + number(3)) : 0)
    root.send(keyboard)
  }

  private func size() -> ViewportSize { ViewportSize(width: Double(8 * (1 + number(3))), height: 8) }

  private func changeInHook() {
    do throws(ScreenHostError) {
      try change?()
    } catch {
      switch error {
      case .transitionInProgress, .ended, .nothingToPop: return
      default: unexpected.append(error)
      }
    }
  }

  private func check(_ root: ScreenHost) throws {
    if let error = unexpected.first { throw Failure(message: "a hook got \(error)") }
    guard visibleCount <= (root.phase.isOnDisplay ? 1 : 0) else {
      let phases = hosts.compactMap { $0.host.map { "\($0.phase), \($0.containment)" } }
      throw Failure(message: "\(visibleCount) screens are visible in a root that is \(root.phase): \(phases)")
    }
    for host in hosts.compactMap(\.host) where host.phase.isOnDisplay {
      let received = host.appearance.receivedKeyboard
      guard received.map({ $0 == keyboard }) ?? (keyboard.height == 0) else {
        throw Failure(message: "a screen has the keyboard \(received as Any) and not \(keyboard)")
      }
      let laidOut = (host.screen as? HookingScreen)?.size
      guard host.size == laidOut, host.size == root.size else {
        throw Failure(message: "a screen of the size \(host.size as Any) is laid out in \(laidOut as Any)")
      }
    }
  }

  /// Checks that each stream of the keyboard has yielded last what its screen has received.
  private func checkStreams() async throws {
    for entry in hosts {
      guard let host = entry.host, let received = host.appearance.receivedKeyboard else { continue }
      host.keyboard.finish()
      var last: KeyboardChange?
      for await change in entry.keyboard { last = change }
      guard last == received else {
        throw Failure(message: "a stream ended with \(last as Any) and not with \(received)")
      }
    }
  }

  private var visibleCount: Int { hosts.count { $0.host?.phase.isOnDisplay ?? false } }

  private func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &numbers) }

  private func screen() -> ScreenHost {
    let host = ScreenHost(HookingScreen { [weak self] in self?.hook() })
    hosts.append(WeakHost(host: host, keyboard: host.keyboardChanges()))
    kept.append(host)
    return host
  }

  private func makeContainer() throws(ScreenHostError) -> ScreenHost {
    switch kind {
    case .stack: makeStack()
    case .tabs: try makeTabs()
    case .state: makeState()
    case .embed: makeEmbedding()
    }
  }

  private func makeStack() -> ScreenHost {
    let stack = NavigationScreenContainer(root: screen())
    change = { [unowned self] () throws(ScreenHostError) in
      switch number(4) {
      case 0: try stack.pop()
      case 1: try stack.popToRoot()
      case 2: try stack.replaceScreens(above: stack.root, with: (0..<number(3)).map { _ in screen() })
      default: try stack.push(screen())
      }
    }
    return ScreenHost(stack)
  }

  private func makeTabs() throws(ScreenHostError) -> ScreenHost {
    let tabs = try TabScreenContainer([screen(), screen(), screen()])
    change = { [unowned self] () throws(ScreenHostError) in try tabs.select(number(3)) }
    return ScreenHost(tabs)
  }

  private func makeState() -> ScreenHost {
    let states = StateScreenContainer { _ in screen() }
    change = { [unowned self] () throws(ScreenHostError) in
      states.show(StateScreenContainer.Slot.allCases[number(5)])
    }
    return ScreenHost(states)
  }

  private func makeEmbedding() -> ScreenHost {
    let parent = ScreenHost(HookingScreen { [weak self] in self?.hook() })
    change = { [unowned self, unowned parent] () throws(ScreenHostError) in
      if number(4) == 0, let child = parent.children.first { return child.enter(animated: false) }
      try parent.embed(screen())
    }
    return parent
  }
}

private struct WeakHost {
  weak let host: ScreenHost?
  let keyboard: AsyncStream<KeyboardChange>
}

/// A screen that calls an action in each hook.
@MainActor
private final class HookingScreen: HostedScreen {
  private let hook: @MainActor () -> Void
  /// The size of the last layout.
  private(set) var size: ViewportSize?

  init(_ hook: @escaping @MainActor () -> Void) { self.hook = hook }

  func didLoad(in host: ScreenHost) { hook() }
  func willAppear(animated: Bool) { hook() }
  func didAppear(animated: Bool) { hook() }
  func willDisappear(animated: Bool) { hook() }
  func didDisappear(animated: Bool) { hook() }
  func willLayout(in size: ViewportSize) { hook() }
  func didLayout(in size: ViewportSize) {
    self.size = size
    hook()
  }
  func willMove(to parent: ScreenHost?) { hook() }
  func didMove(to parent: ScreenHost?) { hook() }
}
