public import Observation

/// Presents the alerts of a stream one after the other, and performs the actions of the tapped buttons.
///
/// SwiftUI shows the alerts with the modifier `alerts(of:perform:)`. A test, or another user interface, reads ``alert`` and
/// calls ``choose(_:)``:
///
/// ```swift
/// let alerts = AlertPresentation(of: model.alerts.stream()) { [model] action in await model.perform(action) }
/// print(alerts.alert?.title ?? "no alert")
/// alerts.choose(.retry)
/// ```
///
/// - Isolation: The main actor.
/// - Ordering: The next alert is presented when the alert before it has ended and its action has been performed. Alerts
///   that arrive until then wait in the stream.
/// - Cancellation: When this object is released, the alert ends without an action, and an action that is being performed is
///   cancelled.
@MainActor
public final class AlertPresentation<Action: Hashable & Sendable>: Observable {
  private let presented = PresentedAlert<Action>()
  private let observation: CancellationToken

  /// Presents the alerts of a stream.
  ///
  /// - Parameters:
  ///   - alerts: The alerts, such as the stream of an ``EventChannel``.
  ///   - perform: Performs the action of a tapped button. It must not capture this object.
  public init(
    of alerts: AsyncStream<AlertState<Action>>, perform: @escaping @MainActor (Action) async -> Void
  ) {
    presented.perform = perform
    observation = alerts.observe(on: presented) { presented, alert in
      if let action = await presented.present(alert) { await presented.perform?(action) }
    }
  }

  /// The alert to show, or `nil`.
  public var alert: AlertState<Action>? { presented.alert }

  /// Ends the alert.
  ///
  /// - Parameter action: The action of the tapped button, or `nil` if the alert was closed without an action. It is not
  ///   checked whether a button of the alert has this action. If there is no alert, the call does nothing.
  public func choose(_ action: Action?) { presented.end(with: action) }

  /// The last alert, also after it has ended. A view shows its texts while the alert disappears.
  var latest: (number: Int, alert: AlertState<Action>)? { presented.latest }

  /// Ends an alert that was closed, unless a button of it is tapped in the same turn of the main actor.
  ///
  /// SwiftUI does not document whether it performs the action of a button or closes the alert first.
  func dismiss(_ number: Int) {
    Task { [presented] in
      if presented.latest?.number == number { presented.end(with: nil) }
    }
  }

  /// Replaces the function that performs actions.
  func perform(with perform: @escaping @MainActor (Action) async -> Void) { presented.perform = perform }
}

/// The alert of an ``AlertPresentation``, and the caller that waits for its end.
@MainActor @Observable
private final class PresentedAlert<Action: Hashable & Sendable> {
  private(set) var latest: (number: Int, alert: AlertState<Action>)?
  private var isPresented = false
  @ObservationIgnored private var continuation: CheckedContinuation<Action?, Never>?
  @ObservationIgnored var perform: (@MainActor (Action) async -> Void)?

  var alert: AlertState<Action>? { isPresented ? latest?.alert : nil }

  /// Presents an alert, and waits for its end.
  func present(_ alert: AlertState<Action>) async -> Action? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(returning: nil) }
        self.continuation = continuation
        latest = ((latest?.number ?? 0) + 1, alert)
        isPresented = true
      }
    } onCancel: {
      Task { @MainActor in self.end(with: nil) }
    }
  }

  func end(with action: Action?) {
    guard let continuation = continuation.take() else { return }
    isPresented = false
    continuation.resume(returning: action)
  }
}
