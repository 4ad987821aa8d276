import Observation

/// Presents the alerts of a stream one after the other, and performs the actions of the tapped
/// buttons.
///
/// SwiftUI shows the alerts with the modifier `alerts(of:_:perform:)`. A test reads ``alert`` and
/// calls ``choose(_:)``:
///
/// ```swift
/// let alerts = AlertPresentation(of: model.alerts.stream()) { [model] in await model.perform($0) }
/// print(alerts.alert?.title ?? "no alert")
/// alerts.choose(.retry)
/// ```
///
/// - Isolation: The main actor.
/// - Ordering: The next alert is presented when the alert before it has closed. An action that
///   takes long does not delay it.
/// - Cancellation: Releasing this object ends the alert and the observation. An action that has
///   begun runs to its end.
@MainActor
package final class AlertPresentation<Action: Hashable & Sendable>: Observable {
  private let screen: AlertScreen<Action>
  private let observation: CancellationToken

  /// Presents the alerts of a stream.
  ///
  /// - Parameters:
  ///   - alerts: The alerts, such as the stream of an ``EventChannel``.
  ///   - perform: Performs the action of a tapped button.
  package convenience init(
    of alerts: AsyncStream<AlertState<Action>>, perform: @escaping @MainActor (Action) async -> Void
  ) {
    self.init(of: alerts, reportsEvaluations: false, perform: perform)
  }

  /// - Parameter reportsEvaluations: Whether the view that shows the alerts calls
  ///   ``wasEvaluated()``.
  init(
    of alerts: AsyncStream<AlertState<Action>>, reportsEvaluations: Bool,
    perform: @escaping @MainActor (Action) async -> Void
  ) {
    let screen = AlertScreen(reportsEvaluations: reportsEvaluations, perform: perform)
    self.screen = screen
    observation = alerts.observe(on: screen) { screen, alert in await screen.present(alert) }
  }

  /// The alert to show, or `nil`.
  package var alert: AlertState<Action>? { shown?.alert }

  /// Closes the alert, and performs the action of the tapped button.
  ///
  /// - Parameter action: The action, or `nil` if the alert was closed without an action. It is not
  ///   checked whether a button of the alert has this action. If there is no alert, the call does
  ///   nothing.
  package func choose(_ action: Action?) {
    guard let shown else { return }
    choose(action, in: shown)
    close(shown)
  }

  /// The alert to show, with its number.
  var shown: NumberedAlert<Action>? { screen.isOpen ? screen.latest : nil }

  /// The last alert, also after it has closed. A view shows its title while the alert disappears.
  var latest: NumberedAlert<Action>? { screen.latest }

  /// Performs the action of a button once. SwiftUI closes the alert itself, before or after the
  /// action.
  func choose(_ action: Action?, in alert: NumberedAlert<Action>) { screen.choose(action, in: alert) }

  /// Records that an alert has closed. The next alert can be presented.
  func close(_ alert: NumberedAlert<Action>) { screen.close(alert) }

  /// Records that the view was evaluated. If no alert was open, the user interface knows that the
  /// last one has closed.
  func wasEvaluated() { screen.wasEvaluated() }

  /// Replaces the function that performs actions.
  func perform(with perform: @escaping @MainActor (Action) async -> Void) { screen.perform = perform }
}

/// An alert of a stream. Two alerts with the same texts have different numbers.
struct NumberedAlert<Action: Hashable & Sendable>: Hashable, Sendable {
  let number: Int
  let alert: AlertState<Action>
}

/// The place where the alerts of an ``AlertPresentation`` are shown.
@MainActor @Observable
private final class AlertScreen<Action: Hashable & Sendable> {
  private(set) var latest: NumberedAlert<Action>?
  private(set) var isOpen = false
  @ObservationIgnored private let reportsEvaluations: Bool
  @ObservationIgnored private var lastChosen = 0
  @ObservationIgnored private var continuation: CheckedContinuation<Void, Never>?
  @ObservationIgnored var perform: @MainActor (Action) async -> Void

  init(reportsEvaluations: Bool, perform: @escaping @MainActor (Action) async -> Void) {
    self.reportsEvaluations = reportsEvaluations
    self.perform = perform
  }

  /// Presents an alert, and waits until the next one can be presented.
  func present(_ alert: AlertState<Action>) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        self.continuation = continuation
        latest = NumberedAlert(number: (latest?.number ?? 0) + 1, alert: alert)
        isOpen = true
      }
    } onCancel: {
      Task { @MainActor in
        self.isOpen = false
        self.end()
      }
    }
  }

  func choose(_ action: Action?, in alert: NumberedAlert<Action>) {
    guard alert.number > lastChosen else { return }
    lastChosen = alert.number
    // The task does not keep this object, and is not cancelled with it: a tap that removes the view
    // still has its effect.
    if let action { Task { [perform] in await perform(action) } }
  }

  func close(_ alert: NumberedAlert<Action>) {
    guard isOpen, alert.number == latest?.number else { return }
    isOpen = false
    if !reportsEvaluations { end() }
  }

  func wasEvaluated() { if !isOpen { end() } }

  private func end() { continuation.take()?.resume() }
}
