/// An alert as a value: its texts, and buttons with the actions that a view model performs.
///
/// A view model sends alerts through an ``EventChannel``, and knows neither UIKit nor SwiftUI. The screen shows each alert, and
/// passes the action of the tapped button back:
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
  /// - Precondition: There is at least one button, because nothing else closes an alert, and at most one button with the
  ///   role ``Button/Role/cancel``.
  public init(_ title: String, message: String? = nil, buttons: [Button]) {
    guard !buttons.isEmpty else { fatalError("AlertState: the alert \"\(title)\" has no button") }
    guard buttons.count(where: { $0.role == .cancel }) <= 1 else {
      fatalError("AlertState: the alert \"\(title)\" has more than one cancel button")
    }
    self.title = title
    self.message = message
    self.buttons = buttons
  }
}
