extension View {
  /// https://developer.apple.com/documentation/swiftui/view/alert(_:ispresented:presenting:actions:message:)-8584l
  nonisolated public func alert<S: StringProtocol, A: View, M: View, T>(
    _ title: S, isPresented: Binding<Bool>, presenting data: T?,
    @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
  ) -> some View {
    modifier(
      AlertModifier(
        title: String(title), isPresented: isPresented,
        content: data.map { ($0, actions($0), message($0)) }))
  }

  /// https://developer.apple.com/documentation/swiftui/view/alert(_:ispresented:presenting:actions:)
  nonisolated public func alert<S: StringProtocol, A: View, T>(
    _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A
  ) -> some View {
    alert(title, isPresented: isPresented, presenting: data, actions: actions) { _ in EmptyView() }
  }

  /// https://developer.apple.com/documentation/swiftui/view/alert(_:ispresented:actions:message:)
  nonisolated public func alert<S: StringProtocol, A: View, M: View>(
    _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
  ) -> some View {
    alert(title, isPresented: isPresented, presenting: (), actions: actions, message: message)
  }
}

private struct AlertModifier {
  let title: String
  let isPresented: Binding<Bool>
  let content: (data: Any, actions: any View, message: any View)?
}

extension AlertModifier: PrimitiveModifier {
  typealias Body = Never

  func children(of node: Node, content: any View) -> [Child] {
    let effect = node.effect(create: AlertEffect.init)
    effect.modifier = self
    effect.request = isPresented.wrappedValue ? self.content?.data : nil
    guard let parts = effect.frozen?.content else { return [Child(content)] }
    return [
      Child(content), Child(parts.actions, at: "actions", layer: .alert),
      Child(parts.message, at: "message", layer: .alert),
    ]
  }
}

final class AlertEffect: PresentationEffect {
  fileprivate var modifier: AlertModifier?
  /// The alert as it was presented. SwiftUI ignores later changes of the data.
  fileprivate private(set) var frozen: AlertModifier?

  var title: String { frozen?.title ?? "" }

  func part(_ name: String) -> Node? {
    node?.children.first { $0.layer == .alert && $0.position == AnyHashable(name) }
  }

  func setNotPresented() { modifier?.isPresented.wrappedValue = false }

  override func present() {
    frozen = modifier
    super.present()
  }

  override func dismissed() {
    frozen = nil
    super.dismissed()
  }
}
