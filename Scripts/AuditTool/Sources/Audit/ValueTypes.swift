import SwiftSyntax

/// Whether a property holds a value, as far as its type shows. An unknown type with the name of a
/// service is taken for a class.
func isValueType(_ property: Property, _ project: Project, followsConstants: Bool = true) -> Bool {
  if !property.attributes.isDisjoint(with: [
    "Environment", "EnvironmentObject", "StateObject", "ObservedObject", "Bindable", "Dependency", "Injected",
    "Inject",
  ]) {
    return false
  }
  let type = property.plainType
  let owner = project.type(around: property.declaration)
  // The value `Feed.pageSize` has the type of this constant.
  let binding = property.declaration.bindings.first { $0.pattern.code == property.name }
  if followsConstants, binding?.typeAnnotation == nil,
    let constant = project.constant(property.initialValue, in: owner)
  {
    return isValueType(constant, project, followsConstants: false)
  }
  if let known = project.type(named: type, in: owner), known.kind != .unknown {
    return known.kind == .struct || known.kind == .enum
  }
  return ![
    "Store", "Center", "Service", "Manager", "Source", "Client", "Model", "Controller", "Repository",
    "Provider", "Router", "Coordinator", "Database", "API", "View", "Label", "Button", "Presenter",
    "Defaults", "Loader", "Queue", "Stack",
  ]
  .contains { type.hasSuffix($0) }
}

extension Project {
  /// The static property that a value names, such as `Feed.pageSize`.
  fileprivate func constant(_ value: ExprSyntax?, in scope: TypeInfo?) -> Property? {
    guard let member = value?.as(MemberAccessExprSyntax.self), let base = member.base,
      let found = type(named: base.code, in: scope)?.properties[member.declName.baseName.text],
      found.isStatic
    else { return nil }
    return found
  }
}
