import SwiftSyntax

/// Marks the classes whose objects all live as long as the app: the code makes them only for globals,
/// static properties, and properties of objects that live as long themselves.
func markGlobalObjects(
  in files: [SourceFile], of types: [TypeInfo],
  type: (_ name: String, _ node: Syntax, _ file: SourceFile) -> TypeInfo?
) {
  // An object of a subclass is one, too, and the system makes screens from storyboards.
  let superclasses = Set(types.compactMap { $0.superclass.map(ObjectIdentifier.init) })
  let classes = types.filter { type in
    type.isReference && !type.livesWithApp && !superclasses.contains(ObjectIdentifier(type))
      && !type.inherited.contains { name in ["Controller", "View", "Cell"].contains { name.hasSuffix($0) } }
  }
  let names = Set(classes.map(\.name))
  var owners: [ObjectIdentifier: [Owner]] = [:]
  for file in files where !file.isTest {
    for call in file.all(FunctionCallExprSyntax.self) {
      let callee = call.name == "init" ? call.receiver : call.calledExpression
      guard let callee, let name = Path(callee)?.last, names.contains(name),
        let made = type(callee.code, Syntax(call), file)
      else { continue }
      owners[ObjectIdentifier(made), default: []].append(
        owner(of: call) { type(lexicalPath(Syntax(call)).joined(separator: "."), Syntax(call), file) })
    }
  }
  var hasChanged = true
  while hasChanged {
    hasChanged = false
    for type in classes where !type.livesWithApp {
      let found = owners[ObjectIdentifier(type), default: []]
      guard !found.isEmpty, found.allSatisfy(\.livesWithApp) else { continue }
      type.livesWithApp = true
      hasChanged = true
    }
  }
}

/// What keeps a new object.
private enum Owner {
  /// A global, or a static property.
  case app
  /// A property of the type.
  case object(TypeInfo)
  case unknown

  var livesWithApp: Bool {
    switch self {
    case .app: true
    case .object(let type): type.livesWithApp
    case .unknown: false
    }
  }
}

/// What keeps the object that a call makes as the initial value of a variable.
private func owner(of call: FunctionCallExprSyntax, type: () -> TypeInfo?) -> Owner {
  var variable: VariableDeclSyntax?
  for node in call.ancestors {
    switch node.kind {
    case .closureExpr where node.cast(ClosureExprSyntax.self).use != .once: return .unknown
    case .functionDecl, .initializerDecl, .deinitializerDecl, .subscriptDecl, .accessorBlock: return .unknown
    case .variableDecl: variable = node.cast(VariableDeclSyntax.self)
    case .memberBlockItem:
      guard let variable else { return .unknown }
      return variable.modifiers.contains { $0.name.text == "static" }
        ? .app : type().map { .object($0) } ?? .unknown
    case .sourceFile: return variable == nil ? .unknown : .app
    default: break
    }
  }
  return .unknown
}
