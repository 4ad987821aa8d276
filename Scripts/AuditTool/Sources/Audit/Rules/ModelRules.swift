import SwiftSyntax

/// A view model that imports a UI framework.
struct UIImportRule: Rule {
  let kind = "ui-import"
  let severity = Severity.note
  let consequence = "Tests of the view model need a simulator, and its rules cannot be used elsewhere."
  let why = "A view model that knows views runs on neither a server nor Linux."
  let example = """
    import UIKit
    final class StatusViewModel {
      var color: UIColor { .systemGreen }
    }
    """
  let repair = "a state of plain values, which `HostedScreen` or a view turns into colors and images"
  let repaired = """
    final class StatusViewModel {
      var isOnline = false
    }
    """
  let section = "Keyboard handling in a view model"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    guard file.imports("UIKit", "AppKit", "SwiftUI", "WatchKit") else { return [] }
    let models =
      (file.all(ClassDeclSyntax.self) + file.all(ActorDeclSyntax.self) as [any DeclGroupSyntax])
      .compactMap { project.info(of: $0) }
      .filter { !project.isViewController($0) && !project.isView($0) && project.isViewModel($0) }
    guard let name = models.first?.name else { return [] }
    // A file with a view and its model needs the framework for the view.
    let declared =
      file.all(ClassDeclSyntax.self) + file.all(StructDeclSyntax.self) as [any DeclGroupSyntax]
    let hasViews = declared.contains {
      project.info(of: $0).map { project.isView($0) || project.isViewController($0) } == true
    }
    if hasViews { return [] }
    return file.imports.filter {
      ["UIKit", "AppKit", "SwiftUI", "WatchKit"].contains($0.path.first?.name.text ?? "")
    }.map {
      finding("`\(name)` imports `\($0.path.code)`", at: file.place($0, "imported here"))
    }
  }
}

/// Rotation and trait methods that UIKit has replaced.
struct DeprecatedMethodRule: Rule {
  let kind = "deprecated-method"
  let severity = Severity.note
  let consequence = "The screen does not follow a rotation or a new appearance on current systems."
  let why = "UIKit calls these methods late, or not at all in a window of free size."
  let example = """
    override func traitCollectionDidChange(_ previous: UITraitCollection?) { updateColors() }
    """
  let repair =
    "`registerForTraitChanges(_:handler:)`, `viewWillTransition(to:with:)`, or `requestGeometryUpdate(_:)`"
  let repaired = """
    registerForTraitChanges([UITraitUserInterfaceStyle.self]) { (screen: Self, _) in screen.updateColors() }
    """
  let section = "Calls that UIKit has replaced"

  private static let methods: Set = [
    "traitCollectionDidChange", "willRotate", "didRotate", "willAnimateRotation",
    "willAnimateFirstHalfOfRotation", "viewDidUnload",
    "viewWillUnload", "shouldAutorotateToInterfaceOrientation", "willRotateToInterfaceOrientation",
    "didRotateFromInterfaceOrientation",
  ]

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    func report(_ name: String, _ node: some SyntaxProtocol) {
      findings.append(finding("`\(name)` is deprecated", at: file.place(node, "used here")))
    }
    for function in file.all(FunctionDeclSyntax.self) where Self.methods.contains(function.name.text) {
      if function.modifiers.contains(where: { $0.name.text == "override" }) {
        report(function.name.text, function)
      }
    }
    for variable in file.all(VariableDeclSyntax.self)
    where variable.modifiers.contains(where: { $0.name.text == "override" }) {
      let name = variable.bindings.first?.pattern.code ?? ""
      if ["shouldAutorotate", "automaticallyAdjustsScrollViewInsets"].contains(name) {
        report(name, variable)
      }
    }
    guard file.imports("UIKit", "SwiftUI") else { return findings }
    for reference in file.tree.descendants(DeclReferenceExprSyntax.self) {
      let name = reference.baseName.text
      if name == "attemptRotationToDeviceOrientation" || name == "statusBarOrientation" {
        report(name, reference)
      }
      if name == "interfaceOrientation", let type = project.type(around: reference),
        project.isViewController(type),
        Path(
          reference.parent?.as(MemberAccessExprSyntax.self)?.declName.id == reference.id
            ? ExprSyntax(reference.parent!)! : ExprSyntax(reference)
        )
        .map({ $0.isMember && $0.names.count == 1 }) == true, localDeclaration(of: name, at: reference) == nil
      {
        report(name, reference)
      }
    }
    return findings
  }
}

/// An observable value that a team wrote itself.
struct HomeMadeObservableRule: Rule {
  let kind = "home-made-observable"
  let consequence =
    "A second part of the screen that binds makes the first one stop, or a closed screen goes on to react."
  let why = """
    A box that keeps one closure forgets the earlier one. A box that keeps a list never forgets a screen that has gone. Both call on the \
    thread that happens to set the value.
    """
  let example = """
    final class Box<T> {
      var value: T { didSet { listener?(value) } }
      private var listener: ((T) -> Void)?
      init(_ value: T) { self.value = value }
      func bind(_ listener: @escaping (T) -> Void) { self.listener = listener }
    }
    """
  let repair = "`StateStore`"
  let repaired = """
    let store = StateStore(value)
    observation = store.observe(on: self) { screen, value in screen.show(value) }
    """
  let section = "The last binding wins"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(ClassDeclSyntax.self).compactMap { declaration in
      let generics = declaration.genericParameterClause?.parameters.map(\.name.text) ?? []
      guard !generics.isEmpty, let type = project.info(of: declaration),
        !project.isViewController(type),
        !project.inherits(type, from: ["UIView", "ObservableObject", "UIControl"])
      else { return nil }
      let values = type.properties.values.filter { property in
        property.isStored && !property.isLet && !property.isStatic
          && generics.contains { uses(property.type, $0) } && !calls(property, generics, type, project)
      }
      guard !values.isEmpty || isSetter(type, generics) else { return nil }
      let closures = type.properties.values.filter {
        $0.isStored && !$0.isStatic && !$0.isLet && calls($0, generics, type, project)
          // A function that the owner gives is awaited, and an observer is not.
          && !$0.type.contains("async->") && !isSetByInitializer($0.name, type)
      }
      .sorted { ($0.declaration.position, $0.name) < ($1.declaration.position, $1.name) }
      guard let closure = closures.first else { return nil }
      if isCollection(closure) {
        if isEmptied(closure.name, type) {
          guard let owner = weakOwner(closure, type, project), !dropsDead(owner, type) else { return nil }
          return finding(
            "`\(type.name)` keeps the entries of screens that have gone in `\(closure.name)`, unless a screen removes its own",
            at: file.place(closure.declaration, "kept here"))
        }
        return finding(
          "`\(type.name)` keeps the closures of screens that have gone in `\(closure.name)`",
          at: file.place(closure.declaration, "kept here"))
      }
      return finding(
        "`\(type.name)` has one `\(closure.name)`: the last one that binds replaces the others",
        at: file.place(closure.declaration, "replaced here"))
    }
  }

  private func isSetter(_ type: TypeInfo, _ generics: [String]) -> Bool {
    type.properties.values.contains { property in
      !property.isStatic && generics.contains { uses(property.type, $0) } && property.accessors != nil
    }
  }

  /// Whether an object is made with its closure, and nothing in the type replaces it.
  private func isSetByInitializer(_ name: String, _ type: TypeInfo) -> Bool {
    func sets(_ sequence: SequenceExprSyntax) -> Bool {
      let elements = Array(sequence.elements)
      guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
        !elements[2].is(NilLiteralExprSyntax.self)
      else { return false }
      let targets = elements[0].as(TupleExprSyntax.self)?.elements.map(\.expression) ?? [elements[0]]
      return targets.contains { Path($0) == Path(isMember: true, names: [name]) }
    }
    let places = type.blocks.flatMap { $0.descendants(SequenceExprSyntax.self).filter(sets) }
    return !places.isEmpty && places.allSatisfy { memberName(around: $0) == "init" }
  }

  private func uses(_ type: String, _ name: String) -> Bool {
    type.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains(Substring(name))
  }

  /// Whether a property holds closures that take the value: one, a list, or a list of values with a
  /// closure.
  private func calls(_ property: Property, _ generics: [String], _ type: TypeInfo, _ project: Project) -> Bool
  {
    func takesValue(_ text: String) -> Bool {
      guard let arrow = text.range(of: "->") else { return false }
      return generics.contains { uses(String(text[..<arrow.lowerBound]), $0) }
    }
    if takesValue(property.type) { return true }
    let words = property.type.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return words.contains { word in
      if let alias = project.alias(word, in: type), takesValue(alias) { return true }
      guard let entry = project.type(named: word, in: type), entry !== type else { return false }
      return entry.properties.values.contains {
        takesValue($0.type) || project.alias($0.plainType, in: entry).map(takesValue) == true
      }
    }
  }

  /// The weak property of the entries of a list: the screen that an entry belongs to.
  private func weakOwner(_ property: Property, _ type: TypeInfo, _ project: Project) -> String? {
    let words = property.type.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return words.lazy.compactMap {
      project.type(named: $0, in: type)?.properties.values.filter(\.isWeak).map(\.name).min()
    }.first
  }

  /// Whether code of the type removes the entries whose owner has gone.
  private func dropsDead(_ owner: String, _ type: TypeInfo) -> Bool {
    type.blocks.contains { block in
      block.descendants(FunctionCallExprSyntax.self).contains { call in
        ["filter", "removeAll", "compactMap"].contains(call.name)
          && ["\(owner) != nil", "\(owner) == nil"].contains { call.code.contains($0) }
      }
    }
  }

  private func isCollection(_ property: Property) -> Bool {
    let type = property.type
    return type.hasPrefix("[")
      || ["Array<", "Dictionary<", "Set<", "NSHashTable", "NSMapTable"].contains { type.hasPrefix($0) }
  }

  private func isEmptied(_ name: String, _ type: TypeInfo) -> Bool {
    type.blocks.contains { block in
      block.descendants(FunctionCallExprSyntax.self).contains { call in
        ["remove", "removeAll", "removeValue", "filter", "removeFirst", "removeSubrange"].contains(call.name)
          && call.receiver.flatMap { Path($0)?.last } == name
      }
        || block.descendants(SequenceExprSyntax.self).contains { sequence in
          let elements = Array(sequence.elements)
          guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
            elements[0].is(SubscriptCallExprSyntax.self)
          else { return false }
          return Path(elements[0])?.last == name && elements[2].is(NilLiteralExprSyntax.self)
        }
    }
  }
}

/// A view model with several properties that say contrary things.
struct ContradictoryStateRule: Rule {
  let kind = "contradictory-state"
  let severity = Severity.note
  let consequence = "A person sees a spinner that never ends, or the old error above new content."
  let why =
    "Several properties describe one situation. Each path has to set all of them, and one path forgets one."
  let example = """
    final class CityViewModel {
      var isLoading = false
      var cities: [City] = []
      func load() {
        isLoading = true
        service.cities { result in
          if case .success(let cities) = result { self.cities = cities; self.isLoading = false }
        }
      }
    }
    """
  let repair = "`Loadable` in one `StateStore`, or an enum of the situations"
  let repaired = """
    func load() async {
      await slot.load(into: store) { [service] in try await service.cities() }
    }
    """
  let section = "State in several properties"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    let declarations =
      file.all(ClassDeclSyntax.self) + file.all(ActorDeclSyntax.self) as [any DeclGroupSyntax]
    for declaration in declarations {
      guard let type = project.info(of: declaration), type.declaration?.id == declaration.id,
        isModel(type, project)
      else { continue }
      let stored = type.properties.values.filter {
        $0.isStored && !$0.isLet && !$0.isStatic && !$0.isClosure && !$0.isTask && !$0.isWeak
      }
      .sorted { ($0.declaration.position, $0.name) < ($1.declaration.position, $1.name) }
      let busy = stored.filter { isBusy($0) }, failures = stored.filter { isFailure($0) }
      let proven =
        busy.flatMap { unfinished($0.name, type, file, project) }
        + failures.flatMap { stale($0, busy, type, file, project) }
      if !proven.isEmpty {
        findings += proven.prefix(1)
        continue
      }
      let flags = stored.filter { isFlag($0) }
      if !busy.isEmpty && !failures.isEmpty && stored.count > busy.count + failures.count {
        let names = (busy.prefix(1) + failures.prefix(1)).map { "`\($0.name)`" }.joined(separator: " and ")
        findings.append(
          finding(
            "\(names) are set one by one, so they can contradict each other",
            at: file.place(busy[0].declaration, "declared here"),
            (failures + flags).filter { $0.name != busy[0].name }.map {
              file.place($0.declaration, "declared here")
            }))
      } else if flags.count > 2 {
        findings.append(
          finding(
            "\(flags.map { "`\($0.name)`" }.joined(separator: ", ")) describe one situation and can contradict each other",
            at: file.place(flags[0].declaration, "declared here"),
            flags.dropFirst().map { file.place($0.declaration, "declared here") }))
      }
    }
    return findings
  }

  private func isModel(_ type: TypeInfo, _ project: Project) -> Bool {
    guard !project.isView(type), !project.isViewController(type) else { return false }
    return project.isViewModel(type) || type.name.hasSuffix("Model") && type.isReference
  }

  private func has(_ property: Property, _ candidates: Set<String>) -> Bool {
    words(of: property.name).contains { candidates.contains($0) }
  }

  private func isBool(_ property: Property) -> Bool { property.plainType == "Bool" }

  /// A flag that says that work goes on.
  private func isBusy(_ property: Property) -> Bool {
    isBool(property) && !has(property, ["more", "can", "should", "has", "did", "next"])
      && has(
        property,
        [
          "loading", "busy", "fetching", "refreshing", "checking", "spinner", "progress", "saving", "sending",
          "searching", "submitting", "working",
          "processing", "updating", "syncing", "uploading", "downloading", "executing", "inflight",
        ])
  }

  private func isFailure(_ property: Property) -> Bool {
    (property.isOptional || isBool(property))
      && has(property, ["error", "failure", "problem", "failed", "fault", "errors"])
  }

  /// A flag, or an optional failure, that names a situation which excludes the others.
  private func isFlag(_ property: Property) -> Bool {
    guard isBool(property) || isFailure(property) else { return false }
    return has(
      property,
      [
        "playing", "paused", "buffering", "loading", "idle", "stopped", "finished", "failed", "connecting",
        "connected", "disconnected", "recording",
        "empty", "error", "success", "succeeded", "loaded", "offline", "refreshing", "completed", "waiting",
        "failure", "ready",
      ]) && !has(property, ["has", "can", "should", "did", "next", "more"])
  }

  // MARK: Paths that prove it

  /// Functions that raise a flag of work, and have a path that does not lower it.
  private func unfinished(
    _ name: String, _ type: TypeInfo, _ file: SourceFile, _ project: Project
  ) -> [Finding] {
    var findings: [Finding] = []
    for body in file.bodies where body.closure == nil && project.type(around: body.node) === type {
      guard let raise = assignment(name, "true", in: Syntax(body.statements)) else { continue }
      let ends = ends(of: name, body.statements, isRaised: false, project)
      if body.isAsync, ends.lowered, ends.kept {
        findings.append(report(name, raise, file))
        continue
      }
      // A callback that lowers the flag on some paths.
      for closure in body.statements.descendants(ClosureExprSyntax.self) where closure.use == .later {
        guard assignment(name, "false", in: Syntax(closure.statements)) != nil,
          assignment(name, "false", in: Syntax(closure.statements), isDirect: true) != nil
        else { continue }
        let ends = self.ends(of: name, closure.statements, isRaised: true, project)
        if ends.lowered, ends.kept {
          findings.append(report(name, raise, file))
          break
        }
      }
    }
    return findings
  }

  private func report(_ name: String, _ raise: Syntax, _ file: SourceFile) -> Finding {
    finding(
      "a path leaves `\(name)` true, so the spinner never ends", at: file.place(raise, "raised here"),
      severity: .hazard)
  }

  private enum Flag: Hashable { case untouched, raised, lowered }

  /// Whether paths through a body lower a flag, and whether paths end with a raised flag.
  private func ends(
    of name: String, _ statements: CodeBlockItemListSyntax, isRaised: Bool, _ project: Project
  ) -> (lowered: Bool, kept: Bool) {
    let isDeferred = statements.contains { item in
      item.item.as(DeferStmtSyntax.self).map { assignment(name, "false", in: Syntax($0.body)) != nil } == true
    }
    if isDeferred { return (true, false) }
    let flow = Flow<Flag>(project) { event, flag in
      switch event {
      case .write(let path, _, let value, _) where path.last == name && path.names.count <= 2:
        // Another value than the literals cannot be judged.
        return value?.code == "true" ? .raised : .lowered
      case .assume(let node, let outcome, _) where outcome == 0 && unwrapsSelf(node): return nil
      // A timeout or another callback lowers the flag.
      case .closure(let closure) where flag == .raised && lowers(name, Syntax(closure), project, depth: 0):
        return .lowered
      default: return flag
      }
    }
    let exits = flow.run(statements, from: isRaised ? .raised : .untouched)
    if exits.isIncomplete { return (false, false) }
    let all = exits.normal.union((exits.returns + exits.throwing).map(\.state))
    return (all.contains(.lowered), all.contains(.raised))
  }

  /// Whether code sets a flag to `false`, or calls functions of the own type that do.
  private func lowers(_ name: String, _ node: Syntax, _ project: Project, depth: Int) -> Bool {
    if assignment(name, "false", in: node) != nil { return true }
    return depth < 3
      && node.descendants(FunctionCallExprSyntax.self).contains { call in
        guard let path = Path(call.calledExpression), path.isMember, path.names.count == 1 else {
          return false
        }
        return project.functions(path.first, of: project.type(around: call)).contains {
          lowers(name, Syntax($0), project, depth: depth + 1)
        }
      }
  }

  /// Whether a condition asks if `self` still lives.
  private func unwrapsSelf(_ node: Syntax) -> Bool {
    let conditions = node.as(GuardStmtSyntax.self)?.conditions ?? node.as(IfExprSyntax.self)?.conditions
    return conditions?.contains { element in
      guard let binding = element.condition.as(OptionalBindingConditionSyntax.self) else { return false }
      return (binding.initializer?.value.code ?? binding.pattern.code) == "self"
    } == true
  }

  private func assignment(_ name: String, _ value: String, in node: Syntax, isDirect: Bool = false) -> Syntax?
  {
    let sequences =
      isDirect
      ? node.descendants(
        SequenceExprSyntax.self, entering: { $0.as(ClosureExprSyntax.self).map { $0.use != .later } ?? true })
      : node.descendants(SequenceExprSyntax.self)
    return sequences.lazy.compactMap { sequence -> Syntax? in
      let elements = Array(sequence.elements)
      guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self), elements[2].code == value,
        let path = Path(elements[0]), path.last == name
      else { return nil }
      return Syntax(sequence)
    }.first
  }

  /// A failure that is set, never cleared, and that no view can clear.
  private func stale(
    _ failure: Property, _ busy: [Property], _ type: TypeInfo, _ file: SourceFile, _ project: Project
  ) -> [Finding] {
    guard failure.isOptional,
      failure.declaration.modifiers.contains(where: {
        $0.code.hasPrefix("private") || $0.code.hasPrefix("fileprivate")
      })
    else { return [] }
    var sets: [Syntax] = [], isCleared = false
    for block in type.blocks {
      for sequence in block.descendants(SequenceExprSyntax.self) {
        let elements = Array(sequence.elements)
        guard elements.count >= 3, elements[1].is(AssignmentExprSyntax.self), let path = Path(elements[0]),
          path.isMember, path.names == [failure.name]
        else { continue }
        let value = elements[2]
        if value.is(NilLiteralExprSyntax.self) || elements.count > 3 || value.is(IfExprSyntax.self)
          || value.is(SwitchExprSyntax.self)
        {
          isCleared = true
        } else {
          sets.append(Syntax(sequence))
        }
      }
    }
    guard !isCleared, let first = sets.first, first.root.id == file.tree.root.id, !busy.isEmpty,
      first.ancestor(CatchClauseSyntax.self) != nil || first.ancestor(SwitchCaseSyntax.self) != nil
        || first.ancestor(IfExprSyntax.self) != nil
    else { return [] }
    return [
      finding(
        "`\(failure.name)` is set and never cleared, so it stays after a successful load",
        at: file.place(first, "set here"),
        [file.place(failure.declaration, "declared here")], severity: .hazard)
    ]
  }
}
