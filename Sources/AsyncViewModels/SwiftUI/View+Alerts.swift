#if canImport(SwiftUI)
  public import SwiftUI

  extension View {
    /// Shows the alerts of a view model one after the other, and performs the actions of the tapped buttons.
    ///
    /// ```swift
    /// .alerts(of: cart.model) { $0.alerts() } perform: { await $0.perform($1) }
    /// ```
    ///
    /// - Ordering: The next alert is shown when the alert before it has ended and its action has been performed.
    /// - Cancellation: The observation begins when the view is first evaluated. It continues while another screen covers the
    ///   view, and ends when SwiftUI removes the view. An action that is being performed is then cancelled.
    ///
    /// - Parameters:
    ///   - source: The object that sends the alerts. If another object is passed, its alerts are shown.
    ///   - alerts: Returns the stream of alerts. Called once for each source.
    ///   - perform: Performs the action of a tapped button.
    public func alerts<Source: AnyObject, Action>(
      of source: Source, _ alerts: @escaping @MainActor (Source) -> AsyncStream<AlertState<Action>>,
      perform: @escaping @MainActor (Source, Action) async -> Void
    ) -> some View {
      modifier(Alerts(source: source, alerts: alerts, perform: perform))
    }
  }

  private struct Alerts<Source: AnyObject, Action: Hashable & Sendable>: ViewModifier {
    @StateObject private var owned = OwnedObject<AlertPresentation<Action>>()
    let source: Source
    let alerts: @MainActor (Source) -> AsyncStream<AlertState<Action>>
    let perform: @MainActor (Source, Action) async -> Void

    func body(content: Content) -> some View {
      let presentation = owned.object(for: OwnedObjectKey(source)) {
        AlertPresentation(of: alerts(source)) { _ in }
      }
      // The closure of the latest description: an earlier one may have captured old values.
      presentation.perform { [source, perform] in await perform(source, $0) }
      let latest = presentation.latest
      return content.alert(
        latest?.alert.title ?? "", isPresented: isPresented(presentation), presenting: presentation.alert
      ) { alert in
        ForEach(Array(alert.buttons.enumerated()), id: \.offset) { _, button in
          Button(button.title, role: ButtonRole(button.role)) { presentation.choose(button.action) }
        }
      } message: { alert in
        if let message = alert.message { Text(message) }
      }
    }

    private func isPresented(_ presentation: AlertPresentation<Action>) -> Binding<Bool> {
      let number = presentation.latest?.number
      return Binding { @MainActor in
        presentation.alert != nil
      } set: { @MainActor isPresented in
        if let number, !isPresented { presentation.dismiss(number) }
      }
    }
  }

  extension ButtonRole {
    /// Creates the role of a button of an ``AlertState``. Returns `nil` for a normal button.
    fileprivate init?<Action>(_ role: AlertState<Action>.Button.Role?) {
      switch role {
      case .cancel: self = .cancel
      case .destructive: self = .destructive
      case nil: return nil
      }
    }
  }
#endif
