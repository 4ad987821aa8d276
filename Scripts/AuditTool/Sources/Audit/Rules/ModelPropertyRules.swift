import SwiftSyntax

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
  let severities: [Severity] = [.hazard, .note]
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
