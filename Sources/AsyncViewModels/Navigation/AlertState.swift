/// An alert as a value: its texts, and buttons with the actions that a view model performs.
///
/// A view model sends alerts through an ``EventChannel``, and knows neither UIKit nor SwiftUI. The
/// screen shows each alert, and passes the action of the tapped button back:
///
/// ```swift
/// bindings.observe(model.alerts.stream(), on: self) { [model] screen, alert in
///   if let action = await screen.choose(from: alert) { await model.perform(action) }
/// }
/// ```
///
/// An observation handles one event at a time. So a second alert is shown after the first one.
public struct AlertState<Action: Hashable & Sendable>: Hashable, Sendable {
  /// A button of an alert.
  public struct Button: Hashable, Sendable {
    /// The meaning of a button, which decides how it looks.
    public enum Role: Hashable, Sendable {
      /// The button leaves everything as it is.
      case cancel
      /// The button deletes something.
      case destructive
    }

    /// The title of the button.
    public let title: String
    /// The meaning of the button, or `nil` for a normal button.
    public let role: Role?
    /// The action to perform after a tap, or `nil` if the button only closes the alert.
    public let action: Action?

    /// Creates a button.
    @export(implementation)
    public init(_ title: String, role: Role? = nil, action: Action? = nil) {
      self.title = title
      self.role = role
      self.action = action
    }
  }

  /// The title of the alert.
  public let title: String
  /// The text below the title, if any.
  public let message: String?
  /// The buttons in their order. Never empty.
  public let buttons: [Button]

  /// Creates an alert.
  ///
  /// - Parameters:
  ///   - title: The title of the alert.
  ///   - message: The text below the title, if any.
  ///   - buttons: The buttons in their order. If there are none, the alert has one button, "OK",
  ///     with the role ``Button/Role/cancel``, because nothing else closes an alert. If several
  ///     buttons have this role, only the first one keeps it, because UIKit accepts only one.
  @export(implementation)
  public init(_ title: String, message: String? = nil, buttons: [Button]) {
    self.title = title
    self.message = message
    let cancel = buttons.firstIndex { $0.role == .cancel }
    self.buttons =
      buttons.isEmpty
      ? [Button("OK", role: .cancel)]
      : buttons.enumerated().map { index, button in
        button.role == .cancel && index != cancel ? Button(button.title, action: button.action) : button
      }
  }
}
