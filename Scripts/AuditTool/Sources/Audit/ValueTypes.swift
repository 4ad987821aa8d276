import SwiftSyntax

/// Whether a property holds a value, as far as its type shows. An unknown type with the name of a
/// service is taken for a class.
func isValueType(_ property: Property, _ project: Project) -> Bool {
  if !property.attributes.isDisjoint(with: [
    "Environment", "EnvironmentObject", "StateObject", "ObservedObject", "Bindable", "Dependency", "Injected",
    "Inject",
  ]) {
    return false
  }
  let type = property.plainType
  let owner = project.type(around: property.declaration)
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
