import SwiftSyntax

/// What the two rules about child controllers share.
private struct Containment {
  let project: Project
  let type: TypeInfo?
  let scope: Syntax

  init?(_ call: FunctionCallExprSyntax, _ project: Project) {
    guard let member = member(around: call) else { return nil }
    self.project = project
    type = project.type(around: call)
    scope = Syntax(member)
  }

  /// Whether the code belongs to a controller of views, and not to a scene or a tree of
  /// coordinators.
  var isController: Bool {
    guard let type else { return false }
    return project.isViewController(type) || type.name.hasSuffix("ViewController")
      || type.name == "UIViewController"
  }

  /// Whether an expression is a controller: its type, its name, or a use of its `view` says it.
  func isController(_ expression: ExprSyntax) -> Bool {
    guard let path = Path(expression) else { return expression.code == "$0" }
    if path.names == ["self"] { return isController }
    let observed = ObservedValue(expression)
    let name = (observed?.property ?? path.last).lowercased()
    if name.hasSuffix("controller") || name.hasSuffix("vc") || name.hasSuffix("child")
      || name.hasPrefix("child")
    {
      return true
    }
    if path.isMember || observed != nil, path.names.count == 1,
      let property = project.property(observed?.property ?? path.first, of: type)
    {
      let known = property.plainType
      return known.hasSuffix("Controller") || known.hasPrefix("UIHostingController")
        || property.initialValue?.code.contains("Controller(") == true
        || project.type(named: known, in: type).map(project.isViewController) == true
    }
    guard let local = localDeclaration(of: path.first, at: expression) else { return false }
    if let loop = local.as(ForStmtSyntax.self) { return loop.sequence.code.hasSuffix("children") }
    if let binding = local.as(OptionalBindingConditionSyntax.self) {
      guard let value = binding.initializer?.value else {
        return project.property(path.first, of: type)?.plainType.hasSuffix("Controller") == true
      }
      return value.code.contains("ontroller") || value.code.hasPrefix("children") || isController(value)
    }
    return local.code.contains("Controller")
  }

  /// Whether the function changes the list of children, as AppKit allows.
  var changesChildren: Bool {
    scope.descendants(FunctionCallExprSyntax.self).contains { call in
      call.name == "removeChild"
        || ["remove", "removeAll", "removeLast"].contains(call.name)
          && call.receiver.flatMap { Path($0) }?.last == "children"
    }
  }

  /// Whether a method is called on a child within the function, or within the whole type.
  func has(
    _ methods: Set<String>, on child: Child, anywhere: Bool = false, argument: String? = nil
  ) -> Bool {
    let places = anywhere ? type?.blocks.map { Syntax($0) } ?? [scope] : [scope]
    return places.contains { place in
      place.descendants(FunctionCallExprSyntax.self).contains { call in
        methods.contains(call.name) && child.isMeant(by: call.receiver)
          && (argument == nil || call.arguments.first?.expression.code == argument)
      }
    }
  }

  /// Whether UIKit moves the children of the function, which gets the context of a transition.
  var isTransition: Bool {
    scope.as(FunctionDeclSyntax.self)?.signature.parameterClause.parameters.contains {
      $0.type.code.hasSuffix("UIViewControllerContextTransitioning")
    } == true
  }
}

/// A child controller, as an expression names it.
private struct Child {
  let name: String
  let isMember: Bool
  /// Set in the observers of the property that holds the child.
  let observed: ObservedValue?

  /// `nil` is the controller itself.
  init(_ expression: ExprSyntax?) {
    let path = expression.flatMap { Path($0) }
    observed = expression.flatMap { ObservedValue($0) }
    name = observed?.property ?? path?.last ?? expression?.code ?? "self"
    isMember = path?.isMember == true || observed?.isOld == false
  }

  func isMeant(by receiver: ExprSyntax?) -> Bool {
    guard let receiver else { return name == "self" }
    if let observed, let other = ObservedValue(receiver) { return observed == other }
    return (Path(receiver)?.last ?? receiver.code) == name
  }
}

extension Containment {
  /// Whether the function around the code is private and gets the child from its caller, which can
  /// take the other steps.
  fileprivate func isStep(for name: String) -> Bool {
    guard let function = scope.as(FunctionDeclSyntax.self) else { return false }
    return function.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
      && function.signature.parameterClause.parameters.contains {
        ($0.secondName ?? $0.firstName).text == name
      }
  }

  /// Whether other code of the type takes a step of the containment.
  fileprivate func takesStep(_ method: String, argument: String? = nil) -> Bool {
    type?.calls.contains { call in
      call.name == method && (argument == nil || call.arguments.first?.expression.code == argument)
    } == true
  }
}

/// A child controller that is not told that it has a parent, or is no child at all.
struct ChildWithoutMoveRule: Rule {
  let kind = "child-without-move"
  let consequence = "The child does not rotate, appear or disappear with its parent, so it shows old values."
  let why =
    "UIKit forwards appearance and traits only to children that were added with `addChild(_:)` and `didMove(toParent:)`."
  let example = """
    final class SplitViewController: UIViewController {
      func show(_ detail: UIViewController) {
        addChild(detail)
        view.addSubview(detail.view)
      }
    }
    """
  let repair = "`didMove(toParent: self)` after the view has been added, or `ScreenHost`"
  let repaired = """
    func show(_ detail: UIViewController) {
      addChild(detail)
      view.addSubview(detail.view)
      detail.didMove(toParent: self)
    }
    """
  let section = "Children that are not removed"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      let name = call.name
      guard
        ["addChild", "addChildViewController", "addSubview", "insertSubview", "addArrangedSubview"]
          .contains(name),
        let argument = call.arguments.first?.expression, call.arguments.count <= 2,
        let place = Containment(call, project)
      else { return nil }
      switch name {
      case "addChild", "addChildViewController": return added(call, argument, place, file)
      case "addSubview", "insertSubview", "addArrangedSubview": return onlyView(call, argument, place, file)
      default: return nil
      }
    }
  }

  private func added(
    _ call: FunctionCallExprSyntax, _ argument: ExprSyntax, _ place: Containment, _ file: SourceFile
  ) -> Finding? {
    guard !file.isForMac, call.closures.isEmpty, place.isController || showsView(of: argument, place) else {
      return nil
    }
    // An override calls the method of its superclass.
    if call.receiver?.code == "super" || memberName(around: call) == call.name { return nil }
    let child = Child(argument)
    if place.has(["didMove", "didMoveToParentViewController"], on: child, anywhere: child.isMember)
      || place.isStep(for: child.name) && place.takesStep("didMove")
    {
      return nil
    }
    return finding(
      "`\(child.name)` is added, and never told with `didMove(toParent:)`", at: file.place(call, "added here")
    )
  }

  private func showsView(of child: ExprSyntax, _ place: Containment) -> Bool {
    place.scope.descendants(MemberAccessExprSyntax.self).contains {
      $0.declName.baseName.text == "view" && $0.base?.code == child.code
    }
  }

  private func onlyView(
    _ call: FunctionCallExprSyntax, _ view: ExprSyntax, _ place: Containment, _ file: SourceFile
  ) -> Finding? {
    guard place.isController,
      let member = view.as(MemberAccessExprSyntax.self)
        ?? view.as(ForceUnwrapExprSyntax.self)?.expression.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "view", let base = member.base, base.code != "self",
      place.isController(base)
    else { return nil }
    let child = Child(base)
    let isAdded =
      place.type?.blocks.contains { block in
        block.descendants(FunctionCallExprSyntax.self).contains {
          ["addChild", "addChildViewController", "addChildController", "embed", "add"].contains($0.name)
            && $0.arguments.first.map { child.isMeant(by: $0.expression) } == true
        }
      } == true
    guard !isAdded else { return nil }
    // A function that gets a child which its caller has added.
    if Path(base)?.isMember == false, place.has(["didMove", "willMove"], on: child) { return nil }
    return finding(
      "the view of `\(child.name)` is added, and its controller is no child",
      at: file.place(call, "added here"))
  }
}

/// A child controller that is removed without its last steps.
struct ChildNotRemovedRule: Rule {
  let kind = "child-not-removed"
  let consequence = "The closed child stays in memory and goes on to react, or does not learn that it leaves."
  let why =
    "The parent keeps a child until `removeFromParent()`, and the child is told by `willMove(toParent: nil)`."
  let example = """
    final class OverlayViewController: UIViewController {
      func hide() {
        child.view.removeFromSuperview()
      }
    }
    """
  let repair =
    "`willMove(toParent: nil)`, `removeFromSuperview()`, `removeFromParent()` in this order, or `ScreenHost`"
  let repaired = """
    func hide() {
      child.willMove(toParent: nil)
      child.view.removeFromSuperview()
      child.removeFromParent()
    }
    """
  let section = "Children that are not removed"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard call.name.hasPrefix("removeFrom"), call.arguments.isEmpty,
        let place = Containment(call, project)
      else { return nil }
      switch call.name {
      case "removeFromSuperview": return view(call, place, file)
      case "removeFromParent", "removeFromParentViewController": return controller(call, place, file)
      default: return nil
      }
    }
  }

  private func view(_ call: FunctionCallExprSyntax, _ place: Containment, _ file: SourceFile) -> Finding? {
    guard let receiver = call.receiver, let member = unwrapped(receiver).as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "view", let child = member.base.map(unwrapped)
    else { return nil }
    guard child.code != "self", place.isController || hasController(place), place.isController(child),
      !place.isTransition,
      !place.has(["removeFromParent", "removeFromParentViewController"], on: Child(child)),
      !place.changesChildren
    else { return nil }
    return finding(
      "the view of `\(Child(child).name)` is removed, and its controller stays a child",
      at: file.place(call, "removed here"))
  }

  private func controller(
    _ call: FunctionCallExprSyntax, _ place: Containment, _ file: SourceFile
  ) -> Finding? {
    // A parent keeps its children, so a released controller has left its parent before.
    if file.isForMac || place.project.runsOnlyInDeinit(member(around: call), of: place.type) { return nil }
    let receiver = call.receiver, child = Child(receiver)
    let isSelf = receiver == nil || receiver?.code == "self"
    guard isSelf ? place.isController : place.isController(receiver!) || removesView(of: child, place) else {
      return nil
    }
    if place.has(["willMove", "willMoveToParentViewController"], on: child, argument: "nil")
      || place.isStep(for: child.name) && place.takesStep("willMove", argument: "nil")
    {
      return nil
    }
    let subject = isSelf ? place.type?.name ?? child.name : child.name
    return finding(
      "`\(subject)` leaves its parent without `willMove(toParent: nil)`", at: file.place(call, "removed here")
    )
  }

  /// An expression without `?` and `!` at its end.
  private func unwrapped(_ expression: ExprSyntax) -> ExprSyntax {
    let inner =
      expression.as(OptionalChainingExprSyntax.self)?.expression
      ?? expression.as(ForceUnwrapExprSyntax.self)?.expression
    return inner.map(unwrapped) ?? expression
  }

  private func hasController(_ place: Containment) -> Bool { place.type?.isReference == true }

  private func removesView(of child: Child, _ place: Containment) -> Bool {
    place.scope.descendants(FunctionCallExprSyntax.self).contains { call in
      guard call.name == "removeFromSuperview", let receiver = call.receiver,
        let view = unwrapped(receiver).as(MemberAccessExprSyntax.self)
      else { return false }
      return view.declName.baseName.text == "view" && view.base.map { child.isMeant(by: $0) } == true
    }
  }
}

extension SourceFile {
  /// Whether the controllers of the file are AppKit's, which are not told about their parents.
  fileprivate var isForMac: Bool { imports("AppKit", "Cocoa") && !imports("UIKit") }
}

extension Project {
  /// Whether a member of a type runs only while an object is released: it is `deinit`, or a function
  /// that only `deinit` calls, itself or through such a function.
  fileprivate func runsOnlyInDeinit(_ member: DeclSyntax?, of type: TypeInfo?, depth: Int = 0) -> Bool {
    if member?.is(DeinitializerDeclSyntax.self) == true { return true }
    guard let function = member?.as(FunctionDeclSyntax.self), depth < 3,
      // A framework calls what it declares.
      !function.modifiers.contains(where: { $0.name.text == "override" }),
      attributeNames(function.attributes).isDisjoint(with: ["objc", "IBAction"])
    else { return false }
    let name = function.name.text
    let calls = files.filter { $0.names.contains(name) }.flatMap { file in
      file.all(FunctionCallExprSyntax.self).filter { $0.name == name && canReach(type, $0) }
    }
    return !calls.isEmpty
      && calls.allSatisfy { call in
        call.ancestor(ClosureExprSyntax.self) == nil
          && runsOnlyInDeinit(Audit.member(around: call), of: self.type(around: call), depth: depth + 1)
      }
  }

  /// Whether a call can be one of a function of a type. A receiver of another type in the project
  /// says that it is not.
  private func canReach(_ type: TypeInfo?, _ call: FunctionCallExprSyntax) -> Bool {
    guard let type, let scope = self.type(around: call) else { return true }
    var known = scope
    if let receiver = call.receiver, receiver.code != "super", !isSelf(receiver.code, at: call) {
      guard let name = typeName(of: receiver, in: scope), let found = self.type(named: name, in: scope),
        found.kind == .class
      else { return true }
      known = found
    }
    return known === type || inherits(known, from: [type.name]) || inherits(type, from: [known.name])
  }

  /// The type of a property, or that of a local name that is made with `as? Type`.
  private func typeName(of receiver: ExprSyntax, in scope: TypeInfo) -> String? {
    guard let path = Path(receiver), path.names.count == 1 else { return nil }
    if path.isMember { return property(path.first, of: scope)?.plainType }
    let local = localDeclaration(of: path.first, at: receiver)
    let value =
      local?.as(PatternBindingSyntax.self)?.initializer?.value
      ?? local?.as(OptionalBindingConditionSyntax.self)?.initializer?.value
    let elements = value?.as(SequenceExprSyntax.self).map { Array($0.elements) } ?? []
    guard elements.count == 3, elements[1].is(UnresolvedAsExprSyntax.self) else { return nil }
    return elements[2].code
  }
}
