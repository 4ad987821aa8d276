import SwiftSyntax

/// A view model that is made while a view is drawn.
struct ModelInBodyRule: Rule {
  let kind = "model-in-body"
  let severities: [Severity] = [.hazard, .note]
  let consequence = "What a person typed or loaded is gone after the parent has been drawn again."
  let why =
    "SwiftUI calls `body`, and the closures of links and sheets, as often as it likes. Each call makes another view model."
  let example = """
    struct HomeView: View {
      var body: some View { FeedView(viewModel: FeedViewModel()) }
    }
    struct FeedView: View {
      @ObservedObject var viewModel: FeedViewModel
      var body: some View { List(viewModel.items) { ItemRow(item: $0) } }
    }
    """
  let repair = "`@StateViewModel`, or `ViewModelStore` with `NavigationModel`"
  let repaired = """
    struct HomeView: View {
      @StateViewModel private var feed = FeedViewModel()
      var body: some View { FeedView(viewModel: feed) }
    }
    """
  let section = "View models made in navigation closures"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      let isFactory = ["init", "make", "create", "build"].contains { call.name.hasPrefix($0) }
      let name = call.receiver == nil ? call.name : isFactory ? call.receiver?.code ?? "" : ""
      guard name.first?.isUppercase == true, isModel(name, call, project),
        let type = project.type(around: call), isDrawn(call, type, project),
        !isOwned(call, project), !isFirstValue(call, type, project),
        !isGivenToUnknown(ExprSyntax(call), project)
      else { return nil }
      let isScene = project.inherits(type, from: ["App", "Scene"])
      return finding(
        "`\(name)` is made each time \(place(of: call)) runs", at: file.place(call, "made here"),
        severity: isScene ? .note : nil)
    }
  }

  private func place(of call: FunctionCallExprSyntax) -> String {
    let name = memberName(around: call)
    return name.isEmpty ? "the view" : "`\(name)`"
  }

  private func isModel(_ name: String, _ call: FunctionCallExprSyntax, _ project: Project) -> Bool {
    let known = project.type(named: name, in: project.type(around: call))
    if let known, known.kind != .unknown, !known.isReference { return false }
    if project.isViewModel(named: name, name.hasSuffix("Model") ? known : nil)
      || ["Presenter", "Interactor"].contains(where: { name.hasSuffix($0) })
    {
      return true
    }
    let isKnown = known.map { $0.isReference && project.isObservable($0) } == true
    guard name.hasSuffix("Model") || isKnown else { return false }
    if known?.isReference == true {
      return name.hasSuffix("Model") || name.hasSuffix("Store") || isObserved(call, project)
    }
    return ["model", "viewModel", "vm", "presenter", "store"].contains(
      call.parent?.as(LabeledExprSyntax.self)?.label?.text ?? "")
  }

  /// Whether the object is given to a property of a view that observes it.
  private func isObserved(_ call: FunctionCallExprSyntax, _ project: Project) -> Bool {
    guard let argument = call.parent?.as(LabeledExprSyntax.self),
      let outer = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
      let view = project.type(named: outer.name, in: project.type(around: call)),
      let property = view.properties[argument.label?.text ?? ""]
    else { return false }
    return !property.attributes.isDisjoint(with: ["ObservedObject", "Bindable"])
  }

  /// Whether a call runs while a view is drawn.
  private func isDrawn(_ call: FunctionCallExprSyntax, _ type: TypeInfo, _ project: Project) -> Bool {
    guard
      project.isView(type) || project.inherits(type, from: ["ViewModifier", "App", "Scene", "ButtonStyle"]),
      !type.name.contains("Preview"), let member = member(around: call)
    else { return false }
    for ancestor in call.ancestors {
      if ancestor.is(MemberBlockItemSyntax.self) { break }
      guard let closure = ancestor.as(ClosureExprSyntax.self) else { continue }
      if runsOnEvent(closure) || takesEvent(closure, type, project) { return false }
    }
    if let variable = member.as(VariableDeclSyntax.self) {
      guard let binding = variable.bindings.first, binding.accessorBlock != nil else { return false }
      return !["static", "class"].contains { word in variable.modifiers.contains { $0.name.text == word } }
    }
    guard let function = member.as(FunctionDeclSyntax.self),
      let result = function.signature.returnClause?.type.code
    else { return false }
    return result.contains("some View") || result.contains("AnyView")
      || function.attributes.contains { $0.code == "@ViewBuilder" }
  }

  /// Whether a closure is called for an event, and not to draw.
  private func runsOnEvent(_ closure: ClosureExprSyntax) -> Bool {
    guard let (call, label) = closure.call else { return closure.use == .later }
    if case .task = closure.use { return true }
    let name = call.name
    if label == "action" || label == "perform" || label == "onDismiss" { return true }
    if name == "Button" { return label == nil && call.argument("action") == nil }
    return name.hasPrefix("on") && name.dropFirst(2).first?.isUppercase == true
      || ["task", "refreshable", "sink", "async", "asyncAfter", "perform", "simultaneousGesture", "gesture"]
        .contains(name)
  }

  /// Whether a view or function of the project takes a closure that returns nothing, and so builds no
  /// view: `ChevronButton("Images") { … }`. Of other modules, the names of buttons say so.
  private func takesEvent(_ closure: ClosureExprSyntax, _ type: TypeInfo, _ project: Project) -> Bool {
    guard let (call, label) = closure.call else { return false }
    let view = project.type(named: call.name, in: type)
    var lists = view?.initializers.map(\.signature.parameterClause.parameters) ?? []
    if let path = Path(call.calledExpression), path.isMember, path.names.count == 1 {
      lists += project.functions(path.first, of: type).map(\.signature.parameterClause.parameters)
    }
    let given = labels(of: call)
    let parameters = parameters(for: label, given, in: lists)
    if !parameters.isEmpty {
      return parameters.allSatisfy { returnsNothing(Syntax($0.type)) }
    }
    if let view, view.kind != .unknown {
      // The initializer of a structure without its own.
      let properties = view.properties.values.filter { property in
        property.isClosure && (label.map { $0 == property.name } ?? !given.contains(property.name))
      }
      return !properties.isEmpty
        && properties.allSatisfy { property in
          property.declaration.bindings.contains { binding in
            binding.typeAnnotation.map { returnsNothing(Syntax($0.type)) } == true
          }
        }
    }
    return call.name.hasSuffix("Button") && label == nil && !given.contains("action")
  }

  private func labels(of call: FunctionCallExprSyntax) -> Set<String> {
    Set((call.arguments.map(\.label) + call.additionalTrailingClosures.map(\.label)).compactMap { $0?.text })
  }

  /// The parameters that a closure with a label can be. A trailing closure can be one of those whose
  /// labels the call does not give.
  private func parameters(
    for label: String?, _ given: Set<String>, in lists: [FunctionParameterListSyntax]
  ) -> [FunctionParameterSyntax] {
    lists.compactMap { list in
      let closures = list.filter { $0.type.code.contains("->") }
      if let label { return closures.first { $0.firstName.text == label } }
      let open = closures.filter { !given.contains($0.firstName.text) }
      let required = open.filter { $0.defaultValue == nil }
      return required.count > 1 ? nil : required.first ?? open.last
    }
  }

  private func returnsNothing(_ type: Syntax) -> Bool {
    let function = type.as(FunctionTypeSyntax.self) ?? type.descendants(FunctionTypeSyntax.self).first
    return ["Void", "()"].contains(function?.returnClause.type.code ?? "")
  }

  /// Whether a view takes the model that the project does not declare, and which may keep it in a
  /// `@StateObject`.
  private func isGivenToUnknown(_ value: ExprSyntax, _ project: Project) -> Bool {
    if let argument = value.parent?.as(LabeledExprSyntax.self),
      let outer = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
    {
      let kind = project.type(named: outer.name, in: project.type(around: value))?.kind ?? .unknown
      return outer.name.first?.isUppercase == true && kind == .unknown
    }
    // `let model = Model()`, which a view takes in a later statement.
    guard let binding = value.parent?.parent?.as(PatternBindingSyntax.self),
      let item = binding.ancestor(CodeBlockItemSyntax.self), let list = item.parent
    else { return false }
    let name = binding.pattern.code
    return list.descendants(DeclReferenceExprSyntax.self).contains {
      $0.baseName.text == name && $0.position > item.position && isGivenToUnknown(ExprSyntax($0), project)
    }
  }

  /// Whether a wrapper keeps the first model: `StateObject(wrappedValue: …)`, or a view with such a
  /// property.
  private func isOwned(_ call: FunctionCallExprSyntax, _ project: Project) -> Bool {
    for ancestor in call.ancestors {
      guard let outer = ancestor.as(FunctionCallExprSyntax.self) else {
        if ancestor.is(CodeBlockItemSyntax.self) { return false }
        continue
      }
      if ["StateObject", "State"].contains(outer.name) { return true }
      if let view = project.type(named: outer.name, in: project.type(around: call)), project.isView(view) {
        let label = call.parent?.as(LabeledExprSyntax.self)?.label?.text ?? ""
        if let property = view.properties[label],
          !property.attributes.isDisjoint(with: ["StateObject", "State"])
        {
          return true
        }
      }
    }
    return false
  }

  /// Whether a view uses the model, or a closure that makes it, only as the first value of a
  /// `@StateObject`: `init(make: @escaping () -> Model) { _model = .init(wrappedValue: make()) }`.
  private func isFirstValue(_ call: FunctionCallExprSyntax, _ type: TypeInfo, _ project: Project) -> Bool {
    if let argument = call.parent?.as(LabeledExprSyntax.self), let label = argument.label?.text,
      let outer = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
      let view = project.type(named: outer.name, in: type), project.isView(view)
    {
      let lists = view.initializers.map(\.signature.parameterClause.parameters)
      return areFirstValues(lists.compactMap { $0.first { $0.firstName.text == label } }, view)
    }
    for ancestor in call.ancestors {
      if ancestor.is(MemberBlockItemSyntax.self) { return false }
      guard let closure = ancestor.as(ClosureExprSyntax.self), let (outer, label) = closure.call,
        let view = project.type(named: outer.name, in: type), project.isView(view)
      else { continue }
      let lists = view.initializers.map(\.signature.parameterClause.parameters)
      if areFirstValues(parameters(for: label, labels(of: outer), in: lists), view) { return true }
    }
    return false
  }

  private func areFirstValues(_ parameters: [FunctionParameterSyntax], _ view: TypeInfo) -> Bool {
    !parameters.isEmpty
      && parameters.allSatisfy { parameter in
        guard let body = parameter.ancestor(InitializerDeclSyntax.self)?.body else { return false }
        return isFirstValue((parameter.secondName ?? parameter.firstName).text, in: body, view)
      }
  }

  /// Whether each use of a local name in an initializer gives a `@StateObject` or `@State` its first
  /// value.
  private func isFirstValue(_ name: String, in body: CodeBlockSyntax, _ view: TypeInfo) -> Bool {
    let uses = body.descendants(DeclReferenceExprSyntax.self).filter { use in
      // `self.name` is the property.
      use.baseName.text == name && use.parent?.as(MemberAccessExprSyntax.self)?.declName.id != use.id
    }
    return !uses.isEmpty && uses.allSatisfy { isFirstValue($0, in: body, view) }
  }

  private func isFirstValue(
    _ use: DeclReferenceExprSyntax, in body: CodeBlockSyntax, _ view: TypeInfo
  ) -> Bool {
    let wrappers = ["StateObject", "State"]
    for node in use.ancestors {
      switch node.kind {
      // The call of the closure.
      case .functionCallExpr, .tryExpr, .forceUnwrapExpr, .labeledExprList, .initializerClause: continue
      case .labeledExpr:
        let argument = node.cast(LabeledExprSyntax.self)
        guard ["wrappedValue", "initialValue"].contains(argument.label?.text),
          let wrapper = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
        else { return false }
        if wrappers.contains(wrapper.name) { return true }
        // `_model = .init(wrappedValue: …)`
        guard wrapper.name == "init",
          let target = assignmentTarget(of: ExprSyntax(wrapper)).flatMap({ Path($0) }),
          target.names.count == 1,
          target.first.hasPrefix("_"), let property = view.properties[String(target.first.dropFirst())]
        else { return false }
        return !property.attributes.isDisjoint(with: wrappers)
      case .patternBinding:
        // `let model = make()`
        let name = node.cast(PatternBindingSyntax.self).pattern.code
        return name != use.baseName.text && isFirstValue(name, in: body, view)
      default: return false
      }
    }
    return false
  }
}
