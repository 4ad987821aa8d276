/// https://developer.apple.com/documentation/swiftui/refreshaction
public struct RefreshAction: Sendable {
  let effect: RefreshEffect

  @concurrent public func callAsFunction() async {
    let action = await effect.action
    await action?()
  }
}

extension EnvironmentValues {
  /// https://developer.apple.com/documentation/swiftui/environmentvalues/refresh
  public internal(set) var refresh: RefreshAction? {
    get { self[RefreshKey.self] }
    set { self[RefreshKey.self] = newValue }
  }

  private enum RefreshKey: EnvironmentKey {
    static var defaultValue: RefreshAction? { nil }
  }
}

extension View {
  /// https://developer.apple.com/documentation/swiftui/view/refreshable(action:)
  nonisolated public func refreshable(
    @_inheritActorContext action: @escaping @concurrent @Sendable () async -> Void
  ) -> some View {
    modifier(RefreshModifier(action: action))
  }
}

private struct RefreshModifier {
  let action: @concurrent @Sendable () async -> Void
}

extension RefreshModifier: PrimitiveModifier {
  typealias Body = Never

  func children(of node: Node, content: any View) -> [Child] {
    let effect = node.effect(create: RefreshEffect.init)
    effect.describe(action)
    var environment = node.environment
    environment.refresh = RefreshAction(effect: effect)
    return [Child(content, environment: environment)]
  }
}

final class RefreshEffect: Effect {
  private(set) var action: (@concurrent @Sendable () async -> Void)?
  private var task: Task<Void, Never>?

  deinit { task?.cancel() }

  /// SwiftUI cancels the task of a refresh if the view with the modifier is evaluated while it runs, for
  /// example because the refresh has set `isLoading`. Apple's documentation does not say so. See
  /// https://github.com/woocommerce/woocommerce-ios/pull/14870 and
  /// https://github.com/kickstarter/ios-oss/pull/1983.
  func describe(_ action: @escaping @concurrent @Sendable () async -> Void) {
    self.action = action
    if node?.host?.evaluationCancelsRefresh == true { task?.cancel() }
  }

  func refresh() async {
    guard let action else { return }
    let task = Task(priority: .userInitiated) { await action() }
    self.task = task
    await task.value
    if self.task == task { self.task = nil }
  }

  override func disappear() { task?.cancel() }
}
