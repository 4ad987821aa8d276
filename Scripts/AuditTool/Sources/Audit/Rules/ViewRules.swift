import SwiftSyntax

/// A view model that is made while a view is drawn.
struct ModelInBodyRule: Rule {
  let kind = "model-in-body"
  let consequence = "What a person typed or loaded is gone after the parent has been drawn again."
  let why =
    "SwiftUI calls `body`, and the closures of links and sheets, as often as it likes. Each call makes another view model."
  let example = """
    struct HomeView: View {
      var body: some View { FeedView(viewModel: FeedViewModel()) }
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
        !isOwned(call, project)
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
      if runsOnEvent(closure) { return false }
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
}

/// An `@ObservedObject` that a view makes by itself.
struct ObservedObjectRule: Rule {
  let kind = "observed-object"
  let consequence = "What a person typed or loaded is gone after the parent has been drawn again."
  let why = "`@ObservedObject` does not keep its object. Each new value of the view makes another one."
  let example = """
    struct TimerView: View {
      @ObservedObject var model = TimerModel()
    }
    """
  let repair = "`@StateObject`, or `@StateViewModel`"
  let repaired = """
    struct TimerView: View {
      @StateObject private var model = TimerModel()
    }
    """
  let section = "View models made in navigation closures"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    for variable in file.all(VariableDeclSyntax.self)
    where attributeNames(variable.attributes).contains("ObservedObject") {
      guard let binding = variable.bindings.first,
        let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
        let type = project.type(around: variable), !type.isReference
      else { continue }
      func report(_ node: some SyntaxProtocol) {
        findings.append(
          finding(
            "`\(name)` observes an object that the view makes itself and does not keep",
            at: file.place(node, "made here")))
      }
      if let value = binding.initializer?.value {
        if makes(value) { report(binding) }
        continue
      }
      for initializer in type.initializers where initializer.root.id == variable.root.id {
        for sequence in initializer.body?.descendants(SequenceExprSyntax.self) ?? [] {
          let elements = Array(sequence.elements)
          guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
            let target = Path(elements[0]), target.isMember
          else { continue }
          if target.names == [name] || target.names == ["_" + name] {
            check(elements[2], initializer, report)
          }
        }
      }
    }
    return findings
  }

  private func check(_ value: ExprSyntax, _ initializer: InitializerDeclSyntax, _ report: (Syntax) -> Void) {
    if let wrapper = value.as(FunctionCallExprSyntax.self),
      wrapper.name == "ObservedObject" || wrapper.callee == ".init"
    {
      if let inner = wrapper.arguments.first?.expression { check(inner, initializer, report) }
    } else if makes(value) {
      report(Syntax(value))
    } else if let parameter = Path(value).flatMap({ path in
      initializer.signature.parameterClause.parameters.first {
        ($0.secondName ?? $0.firstName).text == path.text
      }
    }), let given = parameter.defaultValue?.value, makes(given) {
      report(Syntax(parameter))
    }
  }

  /// Whether an expression makes a new object, and does not take one that lives elsewhere.
  private func makes(_ value: ExprSyntax) -> Bool {
    guard let call = value.as(FunctionCallExprSyntax.self) else { return false }
    let callee = call.callee
    if [".shared", ".default", ".current", "resolve", "Container", "container"].contains(where: {
      callee.contains($0)
    }) {
      return false
    }
    return isInitializer(call) || callee.first?.isUppercase == true || callee.hasPrefix(".init")
  }
}

/// A screen whose view model can be missing.
struct OptionalModelRule: Rule {
  let kind = "optional-model"
  let consequence = "A tap does nothing, or the app crashes, because the view model has not been set yet."
  let why =
    "The screen exists before its view model is set. A call in between is skipped with `?`, and ends the process with `!`."
  let example = """
    final class CartViewController: UIViewController {
      var viewModel: CartViewModel?
      func pay() { viewModel?.pay() }
    }
    """
  let repair = "`HostedScreen`, or an initializer that takes the view model"
  let repaired = """
    final class CartViewController: UIViewController {
      private let viewModel: CartViewModel
      init(viewModel: CartViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
      }
    }
    """
  let section = "Optional view models"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(VariableDeclSyntax.self).compactMap { variable in
      guard variable.parent?.is(MemberBlockItemSyntax.self) == true,
        let type = project.type(around: variable), isScreen(type, project),
        let name = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
        let property = type.properties[name], property.declaration.id == variable.id, property.isOptional,
        property.isStored, !property.isWeak,
        !property.isClosure, isModel(property, project), !isShownItem(name, file, project, type),
        !(project.isView(type) && property.isLet)
      else { return nil }
      if project.isView(type), !property.attributes.contains("State"),
        !property.attributes.contains("ObservedObject")
      {
        return nil
      }
      // A storyboard leaves no other way than `!`, so a team cannot change it screen by screen. Without a skipped call,
      // a missing view model is handled.
      let isNote = property.type.hasSuffix("!") || !isSkipped(name, type)
      return finding(
        "`\(name)` can be missing while the screen is in use", at: file.place(variable, "optional here"),
        severity: isNote ? .note : nil)
    }
  }

  /// Whether code of the type calls or reads the view model with `?` or `!`.
  private func isSkipped(_ name: String, _ type: TypeInfo) -> Bool {
    type.blocks.contains { block in
      block.descendants(OptionalChainingExprSyntax.self).contains { Path($0.expression)?.names == [name] }
        || block.descendants(ForceUnwrapExprSyntax.self).contains { Path($0.expression)?.names == [name] }
    }
  }

  private func isScreen(_ type: TypeInfo, _ project: Project) -> Bool {
    project.isViewController(type) || project.isView(type)
      || type.kind == .class && (type.name.hasSuffix("ViewController") || type.name.hasSuffix("Screen"))
  }

  private func isModel(_ property: Property, _ project: Project) -> Bool {
    var type = property.plainType
    if type.hasPrefix("Optional<") { type = String(type.dropFirst(9).prefix { $0 != ">" }) }
    type = String(type.prefix { $0 != "<" })
    let known = project.type(named: type, in: project.type(around: property.declaration))
    if let known, known.kind == .struct || known.kind == .enum { return false }
    let endings = [
      "ViewModel", "ViewModelType", "ViewModelProtocol", "ViewModeling", "Presenter", "PresenterProtocol",
      "Presenting", "Interactor",
      "InteractorProtocol", "PresenterInterface", "VM", "Presentable", "BusinessLogic", "ViewModelInterface",
      "EventHandler",
    ]
    if endings.contains(where: { type.hasSuffix($0) }) { return true }
    let names = ["viewModel", "presenter", "model", "vm", "interactor"]
    return names.contains(property.name) && (type.hasSuffix("Model") || type.hasSuffix("Protocol"))
      && property.name != "model"
      || property.name == "model"
        && (type.hasSuffix("Model") || known.map(project.isObservable) == true)
  }

  /// Whether the optional is what a sheet or a destination shows.
  private func isShownItem(_ name: String, _ file: SourceFile, _ project: Project, _ type: TypeInfo) -> Bool {
    project.isView(type)
      && type.blocks.contains { block in
        block.descendants(LabeledExprSyntax.self).contains {
          ["item", "presenting", "selection"].contains($0.label?.text ?? "")
            && $0.expression.code.hasSuffix(name)
        }
      }
  }
}

/// A screen that binds before its view is loaded.
struct BindingInInitRule: Rule {
  let kind = "binding-in-init"
  let consequence =
    "The app crashes on an outlet that is not connected yet, or loads the view of a screen that is not shown."
  let why = "A controller is made before its view. The first value can arrive in between."
  let example = """
    final class BalanceViewController: UIViewController {
      @IBOutlet var amountLabel: UILabel!
      init(viewModel: BalanceViewModel) {
        super.init(nibName: nil, bundle: nil)
        viewModel.onChange = { [weak self] amount in self?.amountLabel.text = amount }
      }
    }
    """
  let repair = "bind in `viewDidLoad`, or `HostedScreen` with `ScreenBindings`"
  let repaired = """
    override func viewDidLoad() {
      super.viewDidLoad()
      viewModel.onChange = { [weak self] amount in self?.amountLabel.text = amount }
    }
    """
  let section = "Binding in init"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    func search(_ body: CodeBlockSyntax, _ type: TypeInfo) {
      findings += bindings(body, type, project).map {
        finding("the closure uses views before `viewDidLoad`", at: file.place($0, "bound here"))
      }
      for call in body.descendants(FunctionCallExprSyntax.self) {
        guard let path = Path(call.calledExpression), path.isMember, path.names.count == 1,
          call.ancestor(ClosureExprSyntax.self).map({ $0.position < body.position }) != false
        else { continue }
        for function in project.functions(path.first, of: type) {
          guard let inner = function.body, !bindings(inner, type, project).isEmpty else { continue }
          findings.append(
            finding("`\(path.first)` binds views before `viewDidLoad`", at: file.place(call, "called here")))
          break
        }
      }
    }
    for initializer in file.all(InitializerDeclSyntax.self) {
      guard let body = initializer.body, let type = project.type(around: initializer),
        project.isViewController(type)
      else { continue }
      search(body, type)
    }
    for function in file.all(FunctionDeclSyntax.self) where function.name.text == "awakeFromNib" {
      guard let body = function.body, let type = project.type(around: function),
        project.isViewController(type)
      else { continue }
      search(body, type)
    }
    return findings
  }

  /// The closures that are bound in a body and use views.
  private func bindings(_ body: CodeBlockSyntax, _ type: TypeInfo, _ project: Project) -> [Syntax] {
    var found: [Syntax] = []
    for closure in body.descendants(ClosureExprSyntax.self, entering: { !$0.is(ClosureExprSyntax.self) }) {
      guard usesViews(closure, type, project) else { continue }
      if let target = assignmentTarget(of: ExprSyntax(closure)) {
        if let path = Path(target), path.names.count > 1 || !path.isMember { found.append(Syntax(closure)) }
      } else if let call = closure.call?.call {
        if case .task = closure.use {
          if closure.statements.descendants(ForStmtSyntax.self).contains(where: { $0.awaitKeyword != nil }) {
            found.append(Syntax(call))
          }
        } else if isBinding(call.name) {
          found.append(Syntax(closure))
        }
      }
    }
    return found
  }

  private func isBinding(_ name: String) -> Bool {
    ["bind", "observe", "subscribe", "sink", "addObserver", "listen", "drive", "addListener", "addHandler"]
      .contains { name.hasPrefix($0) }
      || name.hasPrefix("on") && name.dropFirst(2).first?.isUppercase == true
  }

  private func usesViews(_ closure: ClosureExprSyntax, _ type: TypeInfo, _ project: Project) -> Bool {
    let owner = ownerName(closure)
    return closure.statements.descendants(DeclReferenceExprSyntax.self).contains { reference in
      let name = reference.baseName.text
      if let member = reference.parent?.as(MemberAccessExprSyntax.self), member.declName.id == reference.id {
        guard let base = member.base.flatMap({ Path($0) }),
          base.names == ["self"] || base.names == [owner] || isSelf(base.text, at: reference)
        else { return false }
      } else if localDeclaration(of: name, at: reference) != nil {
        return false
      }
      if ["view", "tableView", "collectionView"].contains(name) { return true }
      guard let property = project.property(name, of: type) else {
        let functions = project.functions(name, of: type)
        return !functions.isEmpty
          && functions.contains { $0.body.map { touchesViews($0, type, project) } ?? false }
      }
      return isView(property)
    }
  }

  /// The first parameter of a closure that gets `self` from a call: `screen` in `observe(on: self) { screen, state in … }`.
  private func ownerName(_ closure: ClosureExprSyntax) -> String? {
    guard closure.call?.call.argument("on")?.code == "self" else { return nil }
    return switch closure.signature?.parameterClause {
    case .simpleInput(let names): names.first?.name.text
    case .parameterClause(let clause): clause.parameters.first.map { ($0.secondName ?? $0.firstName).text }
    case nil: nil
    }
  }

  private func touchesViews(_ body: CodeBlockSyntax, _ type: TypeInfo, _ project: Project) -> Bool {
    body.descendants(DeclReferenceExprSyntax.self).contains { reference in
      let name = reference.baseName.text
      return ["view", "tableView", "collectionView"].contains(name)
        || project.property(name, of: type).map(isView) == true
    }
  }

  private func isView(_ property: Property) -> Bool {
    property.attributes.contains("IBOutlet")
      || (property.plainType.hasPrefix("UI") || property.plainType.hasPrefix("NS"))
        && ["Label", "View", "Button", "Field", "Control", "Switch", "Slider", "Bar", "Picker", "Stepper"]
          .contains { property.plainType.hasSuffix($0) }
  }
}
