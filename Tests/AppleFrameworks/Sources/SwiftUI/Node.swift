import Combine
import Observation

/// A view in the tree of a host: its description, and the storage that belongs to its identity.
///
/// The identity is the type of the view and its position in the view around it.
@MainActor
final class Node {
  /// How a view relates to the view around it.
  enum Layer {
    /// Inside it.
    case content
    /// Inside it, but hidden by another screen of a navigation stack.
    case covered
    /// In a sheet that it presents.
    case sheet
    /// A part of an alert that it presents.
    case alert
  }

  let number: Int
  let position: AnyHashable
  weak let parent: Node?
  private(set) weak var host: ViewHost?
  private(set) var view: any View
  private(set) var environment: EnvironmentValues
  private(set) var layer: Layer
  private(set) var children: [Node] = []
  /// What the user sees of this view, apart from the views inside it.
  var element: Element?
  private(set) var effect: Effect?
  var hasAppeared = false

  private var evaluation = 0
  private var slots: [Int: AnyObject] = [:]
  private var observations: [Int: (object: ObjectIdentifier, subscription: AnyCancellable)] = [:]

  init(_ child: Child, in parent: Node?, host: ViewHost, environment: EnvironmentValues) {
    number = host.makeNodeNumber()
    position = child.position
    self.parent = parent
    self.host = host
    view = child.view
    self.environment = child.environment ?? environment
    layer = child.layer
  }

  // MARK: Storage

  /// The object of the property at a place in this view. Created once.
  func slot<Object: AnyObject>(at offset: Int, create: () -> Object) -> Object {
    if let object = slots[offset] as? Object { return object }
    let object = create()
    slots[offset] = object
    return object
  }

  /// The effect of this view. Created once.
  func effect<E: Effect>(create: (Node) -> E) -> E {
    if let effect = effect as? E { return effect }
    let effect = create(self)
    self.effect = effect
    return effect
  }

  /// Evaluates this view after each change of an object.
  func observe<Object: ObservableObject>(_ object: Object, at offset: Int) {
    guard observations[offset]?.object != ObjectIdentifier(object) else { return }
    let subscription = object.objectWillChange.sink { [invalidations = host?.invalidations, number] _ in
      invalidations?.insert(number, evaluation: .max)
    }
    observations[offset] = (ObjectIdentifier(object), subscription)
  }

  // MARK: Evaluation

  func invalidate() { host?.invalidations.insert(number, evaluation: .max) }

  /// Evaluates the views that are out of date in this part of the tree, each before those inside it.
  func update(_ outdated: [Int: Int]) {
    if let outdatedEvaluation = outdated[number], outdatedEvaluation >= evaluation {
      evaluate(outdated)
    } else {
      for child in children { child.update(outdated) }
    }
  }

  func evaluate(_ outdated: [Int: Int]) {
    guard let host else { return }
    evaluation += 1
    element = nil
    let described = withObservationTracking {
      describeChildren()
    } onChange: { [invalidations = host.invalidations, number, evaluation] in
      invalidations.insert(number, evaluation: evaluation)
    }
    reconcile(described, outdated, host)
  }

  private func describeChildren() -> [Child] {
    if let primitive = view as? any PrimitiveView { return primitive.children(of: self) }
    return [Child(body(of: view))]
  }

  private func body<V: View>(of view: V) -> any View {
    var view = view
    Linker(node: self).link(&view)
    host?.countEvaluation(of: V.self)
    return view.body
  }

  private func reconcile(_ described: [Child], _ outdated: [Int: Int], _ host: ViewHost) {
    var old = children
    var new: [Node] = []
    for child in described {
      if let index = old.firstIndex(where: { $0.hasIdentity(of: child) }) {
        let node = old.remove(at: index)
        node.describeAgain(child, environment, outdated)
        new.append(node)
      } else {
        let node = Node(child, in: self, host: host, environment: environment)
        node.evaluate(outdated)
        new.append(node)
      }
    }
    children = new
    host.remove(old)
  }

  private func hasIdentity(of child: Child) -> Bool {
    type(of: view) == type(of: child.view) && position == child.position
  }

  /// Keeps the storage, and evaluates the new description if it differs from the old one.
  private func describeAgain(_ child: Child, _ parentEnvironment: EnvironmentValues, _ outdated: [Int: Int]) {
    let newEnvironment = child.environment ?? parentEnvironment
    let isSame =
      !(view is any PrimitiveView) && newEnvironment.isUnchanged(from: environment)
      && isUnchanged(view, child.view)
    view = child.view
    environment = newEnvironment
    layer = child.layer
    if isSame { update(outdated) } else { evaluate(outdated) }
  }

  func describeAgain(_ view: any View) {
    self.view = view
    invalidate()
  }

  /// Releases everything that belongs to this view and the views inside it.
  func end() {
    for child in children { child.end() }
    effect?.end()
    effect = nil
    children = []
    observations = [:]
    slots = [:]
    host = nil
  }
}
