#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// Tells a screen of the moves of its view controller between parents: each step once, and in a
  /// legal order.
  ///
  /// UIKit and a container can both announce a move, and each of them can leave out a step.
  @MainActor
  final class ScreenMoves {
    private var phase = ScreenContainmentPhase.detached
    private weak var parent: UIViewController?
    /// The host that stands for a parent without a screen.
    private var standIn: ScreenHost?

    func willMove(_ host: ScreenHost, to new: UIViewController?) {
      guard hasNoParent(host) else { return }
      if let new { enter(new, host) } else { beginLeaving(host) }
    }

    func didMove(_ host: ScreenHost, to new: UIViewController?) {
      guard hasNoParent(host) else { return }
      guard let new else { return leave(host) }
      enter(new, host)
      guard phase == .joining || phase == .leaving, parent === new else { return }
      phase = .contained
      host.screen.didMove(to: parentHost)
    }

    /// Tells the screen that its removal was cancelled, for example with a swipe back, if UIKit
    /// does not.
    func didAppear(_ host: ScreenHost) {
      if phase == .leaving, let parent { didMove(host, to: parent) }
    }

    /// Whether UIKit tells of the moves of the screen. A parent of the host tells of them itself.
    private func hasNoParent(_ host: ScreenHost) -> Bool { host.expectedParent == nil }

    private func enter(_ new: UIViewController, _ host: ScreenHost) {
      if parent !== new { leave(host) }
      guard phase == .detached else { return }
      phase = .joining
      parent = new
      standIn = new is ScreenViewController ? nil : ScreenHost(ParentWithoutScreen())
      host.screen.willMove(to: parentHost)
    }

    private func beginLeaving(_ host: ScreenHost) {
      switch phase {
      case .joining: detach()
      case .contained: phase = .leaving
      default: return
      }
      host.screen.willMove(to: nil)
    }

    private func leave(_ host: ScreenHost) {
      beginLeaving(host)
      guard phase == .leaving else { return }
      detach()
      host.screen.didMove(to: nil)
    }

    private func detach() {
      phase = .detached
      parent = nil
      standIn = nil
    }

    private var parentHost: ScreenHost? { standIn ?? (parent as? ScreenViewController)?.host }
  }

  private final class ParentWithoutScreen: HostedScreen {}
#endif
