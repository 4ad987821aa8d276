public import AsyncViewModels

/// An alert in front of the screens of a window.
///
/// Two alerts are equal only if they are the same appearance, also among several windows. So a late
/// tap on an alert that has closed never closes an alert with the same texts.
public struct NavigationAlert: Hashable, Sendable {
  /// How an alert looks.
  public enum Style: Hashable, Sendable {
    /// A message in the middle of the window.
    case alert
    /// A question about what the user has just begun, as an action sheet or a confirmation dialog.
    case confirmation
  }

  /// The texts and the buttons. The action of a button is its index.
  public let state: AlertState<Int>
  /// How the alert looks.
  public let style: Style
  private let id = AppearanceID()

  init(_ state: AlertState<Int>, style: Style) {
    self.state = state
    self.style = style
  }

  public static func == (first: Self, second: Self) -> Bool { first.id == second.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension AlertState {
  /// The alert, with indices as the actions of its buttons.
  var withIndices: AlertState<Int> {
    let buttons = buttons.enumerated().map { index, button in
      let role: AlertState<Int>.Button.Role? =
        switch button.role {
        case .cancel: .cancel
        case .destructive: .destructive
        case nil: nil
        }
      return AlertState<Int>.Button(button.title, role: role, action: index)
    }
    return AlertState<Int>(title, message: message, buttons: buttons)
  }
}

/// The alerts of a window. The first one is shown, the others wait.
struct AlertQueue: Equatable, Sendable {
  private struct Waiting: Equatable {
    let alert: NavigationAlert
    let caller: ResultCaller
  }

  private var waiting: [Waiting] = []

  /// The alert to show.
  var shown: NavigationAlert? { waiting.first?.alert }

  var count: Int { waiting.count }

  /// Adds an alert behind those that wait.
  mutating func add(
    _ state: AlertState<Int>, _ style: NavigationAlert.Style, for caller: ResultCaller
  ) -> NavigationAlert {
    let alert = NavigationAlert(state, style: style)
    waiting.append(Waiting(alert: alert, caller: caller))
    return alert
  }

  /// Removes an alert, shown or not.
  ///
  /// - Returns: The caller that waits for its button, or `nil` if the alert has closed before.
  mutating func remove(_ alert: NavigationAlert) -> ResultCaller? {
    waiting.firstIndex { $0.alert == alert }.map { waiting.remove(at: $0).caller }
  }
}
