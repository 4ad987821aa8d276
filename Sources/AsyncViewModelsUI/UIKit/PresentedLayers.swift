#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// Presents the modals and the alert of a navigation tree above a controller, one after the
  /// other, and takes over what the user and other code close.
  @MainActor
  final class PresentedLayers<Route: Hashable & Sendable> {
    typealias Entry = NavigationEntry<Route>

    private enum Layer: Equatable {
      /// A modal with its roots. A modal with other roots has other controllers.
      case modal([Entry], ModalStyle)
      case alert(NavigationAlert)
    }

    private struct Shown {
      let layer: Layer
      /// UIKit keeps the controller.
      weak var controller: UIViewController?
      var content: FollowedController<Route>?
      /// Whether the controller has been presented. UIKit can refuse a presentation.
      var wasPresented = false
      /// Whether this object dismisses the controller, because the tree has another layer.
      var isLeaving = false
      weak var mark: WindowMark?
    }

    private let model: NavigationModel<Route>
    private weak var base: UIViewController?
    private let animated: Bool
    private let makeController: @MainActor (Entry) -> UIViewController
    /// What is presented above the base, the front layer last.
    private var shown: [Shown] = []
    private var isMakingController = false
    /// An alert that has closed. The model gets its answer next.
    private var closedAlert: NavigationAlert?

    init(
      above base: UIViewController, of model: NavigationModel<Route>, animated: Bool,
      _ makeController: @escaping @MainActor (Entry) -> UIViewController
    ) {
      self.base = base
      self.model = model
      self.animated = animated
      self.makeController = makeController
    }

    /// Presents or dismisses one layer, if the presented ones are not those of the tree. Later
    /// layers follow when its transition has ended.
    func update() {
      noticeEnds()
      guard let base, !isMakingController else { return }
      let modals = model.store.value.entries.modals
      let wanted = layers
      let kept = zip(shown, wanted).prefix { $0.layer == $1 }.count
      for (shown, modal) in zip(shown[..<kept], modals) { shown.content?.update(to: modal.content) }
      guard kept < max(shown.count, wanted.count) else { return }
      guard !base.isInTransition else {
        return base.whenTransitionEnds { [weak self] in self?.update() }
      }
      if kept < shown.count {
        // UIKit dismisses those above it, too.
        shown[kept].isLeaving = true
        shown[kept].controller?.presentingViewController?.dismiss(animated: animated) { [weak self] in
          self?.update()
        }
      } else if base.lastPresented.viewIfLoaded?.window != nil {
        present(wanted, at: kept, content: kept < modals.count ? modals[kept].content : nil, above: base)
      }
    }

    /// The layers of the newest tree.
    private var layers: [Layer] {
      let state = model.store.value
      let modals = state.entries.modals.map { Layer.modal($0.content.stacks.map(\.root), $0.style) }
      guard let alert = state.alerts.shown, alert != closedAlert else { return modals }
      return modals + [.alert(alert)]
    }

    private func present(
      _ wanted: [Layer], at index: Int, content container: FollowedController<Route>.Container?,
      above base: UIViewController
    ) {
      isMakingController = true
      let (new, controller) = makeLayer(wanted[index], container)
      isMakingController = false
      // Making the controller may have changed the tree.
      guard layers.starts(with: wanted[...index]) else { return update() }
      let presenter = base.lastPresented
      #if !os(tvOS)
        Self.place(controller, in: presenter.view)
      #endif
      shown.append(new)
      presenter.present(controller, animated: animated) { [weak self] in self?.update() }
      noticeEnds()
    }

    #if !os(tvOS)
      /// Gives a popover without a place the middle of a view. Without a place, UIKit stops the
      /// process, also for a confirmation on a large screen.
      private static func place(_ controller: UIViewController, in view: UIView) {
        let isConfirmation = (controller as? UIAlertController)?.preferredStyle == .actionSheet
        guard isConfirmation || controller.modalPresentationStyle == .popover,
          let popover = controller.popoverPresentationController,
          popover.sourceView == nil, popover.barButtonItem == nil
        else { return }
        popover.sourceView = view
        popover.sourceRect = CGRect(x: view.bounds.midX, y: view.bounds.midY, width: 0, height: 0)
      }
    #endif

    private func makeLayer(
      _ layer: Layer, _ container: FollowedController<Route>.Container?
    ) -> (Shown, UIViewController) {
      switch layer {
      case .modal(let roots, let style):
        let controller = makeController(roots[0])
        switch style {
        case .sheet: break
        case .cover: controller.modalPresentationStyle = .fullScreen
        case .popover:
          #if !os(tvOS)
            controller.modalPresentationStyle = .popover
          #endif
        }
        let content = container.map {
          FollowedController(controller, showing: $0, of: model, animated: animated, makeController)
        }
        return (Shown(layer: layer, controller: controller, content: content), controller)
      case .alert(let alert):
        let answer = AlertAnswer { [weak model] button in
          model?.tap(button, in: alert)
        } onRelease: { [weak self] in
          self?.alertWasReleased(alert)
        }
        let controller = UIAlertController(
          alert.state, style: alert.style == .confirmation ? .actionSheet : .alert
        ) { answer.end(with: $0) }
        return (Shown(layer: layer, controller: controller), controller)
      }
    }

    /// Gives an alert that has closed without a tap no answer. An alert that has left for another
    /// reason stays in the tree, and is presented again.
    private func alertWasReleased(_ alert: NavigationAlert) {
      noticeEnds()
      if alert == closedAlert { model.tap(nil, in: alert) }
      update()
    }

    /// Removes the entry of the first controller that was closed, with those above it. The alert
    /// above it stays in the tree, and is presented again. What UIKit has refused to present is
    /// presented by a later update.
    private func noticeEnds() {
      let isEnded: (Shown) -> Bool = { $0.controller?.presentingViewController == nil }
      if let index = shown.firstIndex(where: isEnded) {
        let first = shown[index]
        shown.removeSubrange(index...)
        switch first.layer {
        case _ where !first.wasPresented || first.isLeaving: break
        case .modal(let roots, _): model.close(roots[0])
        case .alert(let alert): closedAlert = alert
        }
      }
      for index in shown.indices {
        shown[index].wasPresented = true
        if shown[index].mark?.window == nil,
          let container = shown[index].controller?.presentationController?.containerView
        {
          let mark = WindowMark(in: container) { [weak self] in self?.update() }
          shown[index].mark = mark
        }
      }
    }
  }

  /// Gives the answer of an alert once: the tapped button. Tells if the alert is released without a
  /// tap.
  ///
  /// The buttons of the alert keep this object.
  @MainActor
  private final class AlertAnswer {
    private let tap: @MainActor (Int?) -> Void
    private let onRelease: @MainActor @Sendable () -> Void
    private var isGiven = false

    init(
      _ tap: @escaping @MainActor (Int?) -> Void, onRelease: @escaping @MainActor @Sendable () -> Void
    ) {
      self.tap = tap
      self.onRelease = onRelease
    }

    func end(with button: Int?) {
      isGiven = true
      tap(button)
    }

    // audit:ignore task-in-deinit It keeps only the closure.
    deinit { if !isGiven { Task { @MainActor [onRelease] in onRelease() } } }
  }
#endif
