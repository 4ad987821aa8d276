import SwiftSyntax

extension PlanBuilder {
  /// What the plan could not see.
  func unseen(_ plan: Plan) -> [String] {
    var parts: [String] = []
    let models = ambiguous.filter { isModelName($0.key) }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if !models.isEmpty {
      parts.append("types with one name (" + list(models.map { "\($0.value) × \($0.key)" }) + ")")
    }
    let lonely = plan.viewModels.filter(\.callers.isEmpty).map(\.name)
    if !lonely.isEmpty { parts.append("callers of " + list(lonely)) }
    let outside = foreignServices(plan)
    if !outside.isEmpty {
      parts.append("the declarations of " + list(outside) + ", outside of the paths: add their folders")
    }
    let bases = plan.viewModels.filter { model in
      project.types[model.name].map { type in
        project.types.values.contains { $0.inherited.contains(type.name) && $0.kind == .class }
      } == true
    }.map(\.name)
    if !bases.isEmpty { parts.append("which subclass of " + list(bases) + " runs") }
    let macros = Set(
      project.files.flatMap { $0.all(ClassDeclSyntax.self) }.flatMap { attributeNames($0.attributes) }
    ).subtracting([
      "MainActor", "Observable", "objc", "objcMembers", "available", "unchecked", "preconcurrency", "main",
      "UIApplicationMain", "NSApplicationMain", "dynamicMemberLookup", "frozen", "usableFromInline", "Suite",
      "propertyWrapper", "globalActor", "nonobjc", "_exported", "Model", "IBDesignable",
      "requires_stored_property_inits",
    ]).sorted()
    if !macros.isEmpty {
      parts.append("members that macros make (" + list(macros.map { "@" + $0 }) + ")")
    }
    return parts
  }

  private func isModelName(_ name: String) -> Bool {
    ["ViewModel", "Presenter", "VM", "Reactor"].contains { name.hasSuffix($0) }
  }

  /// The types of view models' properties that are named like services and not declared in the files.
  private func foreignServices(_ plan: Plan) -> [String] {
    var names: Set<String> = []
    for model in plan.viewModels {
      for property in project.types[model.name]?.properties.values.map(\.plainType) ?? [] {
        names.formUnion(foreignServices(in: property))
      }
    }
    return names.sorted()
  }

  /// The names in the text of a type that are named like services and not declared in the files.
  func foreignServices(in type: String) -> [String] {
    type.split { !$0.isLetter && !$0.isNumber }.map(String.init).filter { name in
      project.types[name] == nil && project.aliases[name] == nil && name.first?.isUppercase == true
        && ["Service", "Repository", "UseCase", "Client", "Gateway", "Storage", "Feed", "API"]
          .contains(where: name.hasSuffix)
    }
  }
}
