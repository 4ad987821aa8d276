#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension UIViewController {
    /// Shows an alert, and returns the action of the button that the user taps.
    ///
    /// The alert is presented by the last controller that this one presents, after a transition
    /// that is in progress. If this controller is being dismissed, the controller that remains
    /// presents the alert.
    ///
    /// - Returns: The action of the tapped button. `nil` if that button has no action, or if no
    ///   button was tapped: because the task was cancelled, because other code has dismissed the
    ///   alert, or because this controller is not in a window.
    /// - Cancellation: Dismisses the alert.
    public func choose<Action>(from alert: AlertState<Action>, animated: Bool = true) async -> Action? {
      let shown = ShownAlert()
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          guard !Task.isCancelled else { return continuation.resume(returning: nil) }
          let choice = AlertChoice(continuation)
          let controller = UIAlertController(alert) { action in choice.end(with: action) }
          shown.dismiss = { [weak choice, weak controller] in
            choice?.end(with: nil)
            controller?.dismiss(animated: animated)
          }
          whenReadyToPresent { presenter in
            // Not if the task was cancelled in the meantime.
            if choice.isOpen { presenter.present(controller, animated: animated) }
          }
        }
      } onCancel: {
        Task { @MainActor in shown.dismiss?() }
      }
    }
  }

  extension UIAlertController {
    /// Creates the controller of an alert.
    ///
    /// - Parameter perform: Receives the action of the tapped button, or `nil` if the button has no
    ///   action.
    public convenience init<Action>(
      _ alert: AlertState<Action>, perform: @escaping @MainActor (Action?) -> Void
    ) {
      self.init(alert, style: .alert, perform: perform)
    }

    convenience init<Action>(
      _ alert: AlertState<Action>, style: Style, perform: @escaping @MainActor (Action?) -> Void
    ) {
      self.init(title: alert.title, message: alert.message, preferredStyle: style)
      for button in alert.buttons {
        let style: UIAlertAction.Style =
          switch button.role {
          case .cancel: .cancel
          case .destructive: .destructive
          case nil: .default
          }
        addAction(UIAlertAction(title: button.title, style: style) { _ in perform(button.action) })
      }
    }
  }

  /// The alert that a call of `choose` has presented.
  @MainActor
  private final class ShownAlert {
    var dismiss: (@MainActor () -> Void)?
  }

  /// Resumes a caller once: with the action of a tapped button or, if the alert is released without
  /// a tap, with `nil`.
  ///
  /// The buttons of the alert keep this object.
  @MainActor
  private final class AlertChoice<Action: Sendable> {
    private var continuation: CheckedContinuation<Action?, Never>?

    init(_ continuation: CheckedContinuation<Action?, Never>) { self.continuation = continuation }

    var isOpen: Bool { continuation != nil }

    func end(with action: Action?) { continuation.take()?.resume(returning: action) }

    deinit { continuation?.resume(returning: nil) }
  }
#endif
