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
