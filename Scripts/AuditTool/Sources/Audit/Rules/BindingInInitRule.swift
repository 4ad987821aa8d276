import SwiftSyntax

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
