#if canImport(SwiftUI)
  public import SwiftUI

  extension View {
    /// Shows the alerts of a view model one after the other, and performs the actions of the tapped
    /// buttons.
    ///
    /// ```swift
    /// .alerts(of: cart.model) { $0.alerts.stream() } perform: { await $0.perform($1) }
    /// ```
    ///
    /// - Ordering: The next alert is shown when the alert before it has closed.
    /// - Cancellation: The observation begins when the view first appears. It continues while
    ///   another screen covers the view, and ends when SwiftUI removes the view. An action that has
    ///   begun runs to its end.
    /// - Note: Use this modifier in one view for each source. Two views would both show an alert,
    ///   and both perform its action. A sheet covers the alerts of the view that presents it.
    ///
    /// - Parameters:
    ///   - source: The object that sends the alerts. If another object is passed, its alerts are
    ///     shown.
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
    /// Evaluates this modifier again when it has got a presentation.
    @State private var evaluations = 0
    let source: Source
    let alerts: @MainActor (Source) -> AsyncStream<AlertState<Action>>
    let perform: @MainActor (Source, Action) async -> Void

    /// The compiler's initializer would depend on the private state, which is a property wrapper
    /// or, from Xcode 27, a macro.
    init(
      source: Source, alerts: @escaping @MainActor (Source) -> AsyncStream<AlertState<Action>>,
      perform: @escaping @MainActor (Source, Action) async -> Void
    ) {
      self.source = source
      self.alerts = alerts
      self.perform = perform
    }

    func body(content: Content) -> some View {
      _ = evaluations
      let presentation = owned.current
      // The closure of the latest description: an earlier one may have captured old values.
      presentation?.perform { [source, perform] in await perform(source, $0) }
      presentation?.wasEvaluated()
      return content.alert(
        presentation?.latest?.alert.title ?? "", isPresented: isPresented, presenting: presentation?.shown
      ) { shown in
        ForEach(Array(shown.alert.buttons.enumerated()), id: \.offset) { _, button in
          Button(button.title, role: ButtonRole(button.role)) {
            presentation?.choose(button.action, in: shown)
          }
        }
      } message: { shown in
        if let message = shown.alert.message { Text(message) }
      }
      .onAppear(perform: observe)
      .onChange(of: ObjectIdentifier(source), observe)
    }

    /// Begins with the first appearance, so that a view that never appears takes no alert away from
    /// its channel.
    private func observe() {
      let old = owned.current
      let new = owned.object(for: OwnedObjectKey(source)) {
        AlertPresentation(of: alerts(source), reportsEvaluations: true) { _ in }
      }
      if new !== old { evaluations += 1 }
    }

    private var isPresented: Binding<Bool> {
      let presentation = owned.current
      let shown = presentation?.shown
      return Binding { @MainActor in
        presentation?.shown != nil
      } set: { @MainActor isPresented in
        if let shown, !isPresented { presentation?.close(shown) }
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
