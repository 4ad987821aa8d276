/// Shows a view as a window does, and acts as the user. Only test code uses it.
///
/// A change of the state marks the views that have read it. The next update evaluates these views. An update
/// runs in the next turn of the main actor, or in ``update()``. A test that waits for it calls ``settle()``:
///
/// ```swift
/// let host = ViewHost(CounterView())
/// host.tap("Add")
/// await host.settle()
/// #expect(host.texts.contains("1"))
/// ```
///
/// Call ``close()`` at the end to release the storage of all views.
@MainActor
public final class ViewHost {
  /// In which order a tap on a button of an alert takes effect. Apple does not promise an order. Developers
  /// report both orders: https://github.com/pointfreeco/swift-composable-architecture/pull/3309 and
  /// https://github.com/scgopi/GraphCode/issues/35.
  public enum AlertOrder: Sendable {
    /// The alert runs the action of the button, and then sets `isPresented` to `false`.
    case actionBeforeBinding
    /// The alert sets `isPresented` to `false`, and then runs the action of the button.
    case bindingBeforeAction
  }

  /// The order of a tap on a button of an alert.
  public var alertOrder = AlertOrder.actionBeforeBinding

  /// The turns of the main actor between a change and the update that shows it, and those of a dismissal. On a device, an update
  /// waits for the next frame. 0 by default.
  public var turnsOfUpdate = 0
  public var turnsOfDismissal = 0

  /// Whether a refresh is cancelled if the view with `refreshable` is evaluated while it runs. True by
  /// default, as in SwiftUI.
  public var evaluationCancelsRefresh = true

  let invalidations = Invalidations()
  private var rootNode: Node?
  private var isOnScreen = false
  private var isUpdating = false
  private var lastNodeNumber = 0
  private var evaluationCounts: [ObjectIdentifier: Int] = [:]
  private var removedNodes: [Node] = []
  private var actionsAfterEvaluation: [() -> Void] = []
  private var dismissals: [(number: Int, presenter: Presenter)] = []
  private var lastDismissalNumber = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private(set) lazy var rootPresenter = Presenter(self)

  /// Evaluates a view, and shows it.
  ///
  /// - Parameters:
  ///   - environment: The environment of the view.
  ///   - appears: Whether the view appears now. Otherwise, it appears in ``appear()``.
  public init(
    _ root: some View, environment: EnvironmentValues = EnvironmentValues(), appears: Bool = true
  ) {
    invalidations.connect(to: self)
    let node = Node(Child(root), in: nil, host: self, environment: environment)
    rootNode = node
    node.invalidate()
    isOnScreen = appears
    update()
  }

  /// The view at the root.
  var root: Node {
    guard let rootNode else { fatalError("The host is closed.") }
    return rootNode
  }

  /// Describes the root view again, as a parent view does. The view keeps its state.
  public func replaceRoot<V: View>(with view: V) {
    guard Swift.type(of: root.view) == V.self else {
      fatalError("The root is a \(Swift.type(of: root.view)), so a \(V.self) cannot replace it.")
    }
    root.describeAgain(view)
  }

  /// How often the body of the views of a type has been evaluated.
  public func evaluations<V: View>(of type: V.Type) -> Int { evaluationCounts[ObjectIdentifier(type)] ?? 0 }

  // MARK: Life cycle

  /// Puts the view on the screen.
  public func appear() {
    isOnScreen = true
    update()
  }

  /// Removes the view from the screen, for example because another screen covers it. The view keeps its
  /// state.
  public func disappear() {
    isOnScreen = false
    update()
  }

  /// Ends all views: they disappear, their tasks are cancelled, and their storage is released.
  public func close() {
    guard !isUpdating else { fatalError("close() was called during an update.") }
    let root = root
    isOnScreen = false
    updateAppearance()
    root.end()
    rootNode = nil
    invalidations.connect(to: nil)
    dismissals = []
    resumeWaiters()
  }

  // MARK: Updates

  /// Evaluates the views whose state has changed, now.
  public func update() {
    guard !isUpdating else {
      fatalError("update() was called during an update, for example in the body of a view.")
    }
    isUpdating = true
    var steps = 0
    repeat {
      root.update(invalidations.removeAll())
      let actions = actionsAfterEvaluation
      actionsAfterEvaluation = []
      for action in actions { action() }
      if isOnScreen { updatePresentations(rootPresenter, from: root) }
      if invalidations.isEmpty { updateAppearance() }
      steps += 1
      guard steps < 1_000 else {
        fatalError("The views change their state again and again: the update does not end.")
      }
    } while !invalidations.isEmpty
    isUpdating = false
    if isSettled { resumeWaiters() }
  }

  /// Ends the dismissals of alerts and sheets that are in progress, and updates the views.
  ///
  /// Without this call, a dismissal ends in the next turn of the main actor.
  public func advance() {
    let ending = dismissals
    dismissals = []
    for dismissal in ending { dismissal.presenter.endDismissal() }
    update()
  }

  /// Waits until no update and no dismissal is pending. Does not wait for the tasks of the views.
  public func settle() async {
    while !isSettled { await withCheckedContinuation { waiters.append($0) } }
  }

  private var isSettled: Bool { rootNode == nil || invalidations.isEmpty && dismissals.isEmpty }

  private func resumeWaiters() {
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }

  private func updateAppearance() {
    var appearing: [Node] = []
    var disappearing: [Node] = []
    func sort(_ node: Node, _ isVisible: Bool) {
      if isVisible && !node.hasAppeared { appearing.append(node) }
      if !isVisible && node.hasAppeared { disappearing.append(node) }
    }
    root.visitAll(isVisible: isOnScreen, sort)
    let removed = removedNodes
    removedNodes = []
    for node in removed { node.visitAll(isVisible: false, sort) }
    for node in appearing {
      node.hasAppeared = true
      node.effect?.appear()
    }
    for node in disappearing {
      node.hasAppeared = false
      node.effect?.disappear()
    }
    for node in removed { node.end() }
  }

  private func updatePresentations(_ presenter: Presenter, from node: Node) {
    var effects: [PresentationEffect] = []
    func visit(_ node: Node) {
      if let effect = node.effect as? PresentationEffect { effects.append(effect) }
      for child in node.children where child.layer == .content || child.layer == .covered { visit(child) }
    }
    visit(node)
    presenter.update(effects)
    for case let sheet as SheetEffect in effects {
      if let presenter = sheet.presenter, let root = sheet.root { updatePresentations(presenter, from: root) }
    }
  }
}

extension ViewHost {
  func makeNodeNumber() -> Int {
    lastNodeNumber += 1
    return lastNodeNumber
  }

  func countEvaluation(of type: any View.Type) { evaluationCounts[ObjectIdentifier(type), default: 0] += 1 }

  func remove(_ nodes: [Node]) { removedNodes += nodes }

  func performAfterEvaluation(_ action: @escaping () -> Void) { actionsAfterEvaluation.append(action) }

  func performScheduledUpdate() { if rootNode != nil { update() } }

  func scheduleEndOfDismissal(in presenter: Presenter) {
    lastDismissalNumber += 1
    let number = lastDismissalNumber
    dismissals.append((number, presenter))
    Task { [weak self, turnsOfDismissal] in
      for _ in 0..<turnsOfDismissal { await Task.yield() }
      self?.endDismissal(number)
    }
  }

  private func endDismissal(_ number: Int) {
    guard let index = dismissals.firstIndex(where: { $0.number == number }) else { return }
    dismissals.remove(at: index).presenter.endDismissal()
    update()
  }
}
