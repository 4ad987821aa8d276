extension View {
  /// https://developer.apple.com/documentation/swiftui/view/sheet(item:ondismiss:content:)
  nonisolated public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    modifier(
      SheetModifier(
        read: { item.wrappedValue.map { ($0.id, content($0)) } }, clear: { item.wrappedValue = nil },
        onDismiss: onDismiss))
  }

  /// https://developer.apple.com/documentation/swiftui/view/sheet(ispresented:ondismiss:content:)
  nonisolated public func sheet<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    modifier(
      SheetModifier(
        read: { isPresented.wrappedValue ? (0, content()) : nil },
        clear: { isPresented.wrappedValue = false },
        onDismiss: onDismiss))
  }
}

private struct SheetModifier {
  /// The identity and the content of the sheet to present.
  let read: () -> (id: AnyHashable, content: any View)?
  let clear: () -> Void
  let onDismiss: (() -> Void)?
}

extension SheetModifier: PrimitiveModifier {
  typealias Body = Never

  func children(of node: Node, content: any View) -> [Child] {
    let effect = node.effect(create: SheetEffect.init)
    effect.clear = clear
    effect.onDismiss = onDismiss
    let wanted = read()
    effect.request = wanted?.id
    guard let shown = effect.shown as? AnyHashable else {
      effect.content = nil
      return [Child(content)]
    }
    if let wanted, wanted.id == shown { effect.content = wanted.content }
    guard let sheet = effect.content else { return [Child(content)] }
    var environment = node.environment
    environment.dismiss = DismissAction(effect)
    return [Child(content), Child(sheet, at: shown, environment: environment, layer: .sheet)]
  }
}

final class SheetEffect: PresentationEffect {
  var clear: () -> Void = {}
  var onDismiss: (() -> Void)?
  /// The last content of the sheet, which stays until the end of the dismissal.
  var content: (any View)?
  /// Presents what the views in the sheet ask for.
  private(set) var presenter: Presenter?

  var root: Node? { node?.children.first { $0.layer == .sheet } }

  override var isOutdated: Bool { super.isOutdated || shown.map { !isEqual($0, request as Any) } ?? false }

  override func dismiss(_ screen: ScreenPosition?) { clear() }

  override func present() {
    presenter = node?.host.map { Presenter($0) }
    super.present()
  }

  override func dismissed() {
    presenter = nil
    super.dismissed()
    onDismiss?()
  }
}
