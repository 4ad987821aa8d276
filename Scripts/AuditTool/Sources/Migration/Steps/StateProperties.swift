import Audit
import SwiftSyntax

extension TypeInfo {
  /// The stored properties of a class that make its state, in the order of the text: values that
  /// change, apart from what only organizes the work.
  func stateProperties(in project: Project) -> [Property] {
    changingValues(in: project).filter { !$0.modifiers.contains("lazy") }
  }

  /// The lazy properties that hold values. They stay outside of the struct, because their first values
  /// can need the object.
  func lazyValues(in project: Project) -> [Property] {
    changingValues(in: project).filter { property in
      property.modifiers.contains("lazy")
        && !["Formatter", "Decoder", "Encoder"].contains(where: property.plainType.hasSuffix)
    }
  }

  private func changingValues(in project: Project) -> [Property] {
    guard let members = classDeclaration?.memberBlock.members else { return [] }
    return members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.flatMap { variable in
      variable.bindings.compactMap { properties[$0.pattern.code] }.filter { $0.declaration.id == variable.id }
    }.filter { property in
      property.isStored && !property.isLet && !property.isStatic && !property.isWeak
        && property.attributes.isEmpty
        && !property.modifiers.contains("override")
        && !property.isClosure && !property.isLock && !property.isQueue && !property.isGroup
        && !property.isSemaphore && !property.isTask && !property.isTimer && !property.isWorkItem
        && property.name != "state" && project.holdsValue(property) && !isPlumbing(property)
        && !isBox(property, in: project)
    }
  }

  private func isPlumbing(_ property: Property) -> Bool {
    let type = property.plainType, name = property.name.lowercased()
    if ["Cancellable", "NSObjectProtocol", "Subject", "Publisher"].contains(where: type.contains) {
      return true
    }
    let base = String(type.prefix { $0 != "<" })
    if ["Token", "Request", "Task", "Delegate", "Source"].contains(where: base.hasSuffix) { return true }
    let isNumber = ["Int", "UInt", "UInt64", "UUID", "UUID()"].contains(type)
    let counts = ["request", "generation", "token", "ticket", "sequence", "attempt"]
    return isNumber && counts.contains(where: name.contains) || name.contains("cache")
  }

  /// Whether a property is an observable box, such as `Observable<[Item]>`.
  func isBox(_ property: Property, in project: Project) -> Bool {
    let name = String(property.plainType.prefix { $0 != "<" })
    if let known = project.types[name], known.kind != .unknown {
      return known.kind == .class && known.properties["value"]?.isStored == true
        && known.properties["value"]?.accessors != nil
    }
    return ["Observable", "Box", "Dynamic", "Bindable", "ObservableValue", "LiveData"].contains(name)
  }
}
