import SwiftSyntax

/// A type with its extensions in all files.
public final class TypeInfo: @unchecked Sendable {  // Changes only while the project is being made.
  public enum Kind: Sendable { case `class`, actor, `struct`, `enum`, `protocol`, unknown }

  /// The last part of the path.
  public var name: String { path[path.count - 1] }
  /// The names of the types around the declaration, and its own.
  public let path: [String]
  /// The file of the declaration, or of the first extension.
  let file: String
  public internal(set) var kind = Kind.unknown
  /// Superclass and protocols, also those of extensions.
  public internal(set) var inherited: [String] = []
  /// `inherited` with the types around each name.
  var written: [String] = []
  /// What `inherited` names, as far as the project declares or extends it.
  var supertypes: [TypeInfo?] = []
  public internal(set) var attributes: Set<String> = []
  public internal(set) var modifiers: Set<String> = []
  public internal(set) var properties: [String: Property] = [:]
  public internal(set) var functions: [String: [FunctionDeclSyntax]] = [:]
  public internal(set) var initializers: [InitializerDeclSyntax] = []
  public internal(set) var deinitializers: [DeinitializerDeclSyntax] = []
  /// The member blocks of the declaration and its extensions, each with its file.
  public internal(set) var blocks: [MemberBlockSyntax] = []
  public internal(set) var declaration: DeclSyntax?
  /// Whether one object of the type lives as long as the app.
  public internal(set) var livesWithApp = false

  init(path: [String], file: String) {
    self.path = path
    self.file = file
  }

  /// The superclass, if the project declares it.
  var superclass: TypeInfo? { supertypes.lazy.compactMap { $0 }.first { $0.kind == .class } }

  public var isReference: Bool { kind == .class || kind == .actor }
  public var isActor: Bool { kind == .actor }
}

/// A property of a type.
public struct Property: Sendable {
  public let name: String
  /// The written type, or the called initializer of the initial value, without spaces.
  public let type: String
  public let initialValue: ExprSyntax?
  public let attributes: Set<String>
  public let modifiers: Set<String>
  public let isLet: Bool
  /// The body of a computed property, or its accessors.
  public let accessors: AccessorBlockSyntax?
  public let declaration: VariableDeclSyntax

  public var isStored: Bool {
    guard let accessors else { return true }
    guard case .accessors(let list) = accessors.accessors else { return false }
    return list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }
  public var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }
  public var isWeak: Bool { modifiers.contains("weak") || modifiers.contains("unowned") }
  public var isOptional: Bool { type.hasSuffix("?") || type.hasSuffix("!") || type.hasPrefix("Optional<") }
  /// The type without optionality, parentheses, `any` and `some`.
  public var plainType: String {
    var text = Substring(type)
    while let last = text.last, "?!".contains(last) { text = text.dropLast() }
    if text.hasPrefix("("), text.hasSuffix(")"), !text.contains("->") || text.hasPrefix("((") {
      text = text.dropFirst().dropLast()
    }
    for word in ["any", "some"]
    where text.hasPrefix(word) && text.dropFirst(word.count).first?.isUppercase == true {
      text = text.dropFirst(word.count)
    }
    return String(text)
  }

  public var isClosure: Bool { type.contains("->") || closureNames.contains { plainType.hasSuffix($0) } }
  public var isLock: Bool { lockTypes.contains { plainType.hasPrefix($0) } }
  public var isQueue: Bool { ["DispatchQueue", "OperationQueue", "DispatchSerialQueue"].contains(plainType) }
  public var isGroup: Bool { plainType == "DispatchGroup" }
  public var isSemaphore: Bool { plainType == "DispatchSemaphore" }
  public var isTask: Bool { plainType == "Task" || plainType.hasPrefix("Task<") }
  public var isTimer: Bool { ["Timer", "CADisplayLink", "DispatchSourceTimer"].contains(plainType) }
  public var isWorkItem: Bool { plainType == "DispatchWorkItem" }
}

let closureNames = ["Handler", "Completion", "Callback", "Closure", "Block"]
let lockTypes = [
  "NSLock", "NSRecursiveLock", "UnfairLock", "os_unfair_lock", "OSAllocatedUnfairLock", "Mutex",
  "NSConditionLock",
  "pthread_mutex_t", "pthread_rwlock_t", "Lock", "NIOLock", "ReadWriteLock", "RecursiveLock",
  "UnsafeMutablePointer<os_unfair_lock>",
]
let mainActorBases: Set = [
  "UIViewController", "UIView", "UITableViewController", "UICollectionViewController",
  "UINavigationController",
  "UITabBarController", "UITableViewCell", "UICollectionViewCell", "UIResponder", "UIControl", "UIButton",
  "UIWindow",
  "UIHostingController", "NSViewController", "NSView", "NSWindowController", "View", "App", "Scene",
  "ViewModifier",
  "UIViewRepresentable", "UIViewControllerRepresentable", "UIApplicationDelegate", "UIWindowSceneDelegate",
  "UIPageViewController", "UISplitViewController", "UIAlertController", "UIStackView", "UILabel",
  "UIImageView",
  "UIScrollView", "UITableView", "UICollectionView", "UISearchController", "UICollectionReusableView",
]

/// The declaration that a node is, if it declares or extends a type.
public func declGroup(_ node: Syntax) -> (any DeclGroupSyntax)? {
  switch node.kind {
  case .classDecl: node.as(ClassDeclSyntax.self)
  case .structDecl: node.as(StructDeclSyntax.self)
  case .enumDecl: node.as(EnumDeclSyntax.self)
  case .actorDecl: node.as(ActorDeclSyntax.self)
  case .protocolDecl: node.as(ProtocolDeclSyntax.self)
  case .extensionDecl: node.as(ExtensionDeclSyntax.self)
  default: nil
  }
}

/// The names of the types around a declaration, and its own.
func lexicalPath(_ node: Syntax) -> [String] {
  var path: [String] = []
  for node in [node] + Array(node.ancestors) {
    if let extended = node.as(ExtensionDeclSyntax.self)?.extendedType {
      path += typeParts(extended.code).reversed()
    } else if let named = node.as(TypeAliasDeclSyntax.self) {
      path.append(named.name.text)
    } else if let named = declGroup(node)?.asProtocol((any NamedDeclSyntax).self) {
      path.append(named.name.text)
    }
  }
  return path.isEmpty ? [""] : path.reversed()
}

extension SourceFile {
  /// The declarations of types, without extensions.
  var declarations: [any DeclGroupSyntax] {
    all(ClassDeclSyntax.self) + all(StructDeclSyntax.self) as [any DeclGroupSyntax]
      + all(EnumDeclSyntax.self) + all(ActorDeclSyntax.self) + all(ProtocolDeclSyntax.self)
  }
}

/// The names of the attributes without `@` and arguments.
public func attributeNames(_ list: AttributeListSyntax) -> Set<String> {
  Set(
    list.compactMap {
      $0.as(AttributeSyntax.self)?.attributeName.code.split(separator: ".").last.map(String.init)
    })
}

extension TypeInfo {
  /// Adds a declaration or an extension. `alias` gives what a type alias stands for.
  func add(_ group: any DeclGroupSyntax, _ alias: (String) -> String?) {
    blocks.append(group.memberBlock)
    switch group.kind {
    case .classDecl: kind = .class
    case .structDecl: kind = .struct
    case .enumDecl: kind = .enum
    case .actorDecl: kind = .actor
    case .protocolDecl: kind = .protocol
    default: break
    }
    if group.kind != .extensionDecl || declaration == nil { declaration = DeclSyntax(group) }
    if group.kind != .extensionDecl {
      attributes.formUnion(attributeNames(group.attributes))
      modifiers.formUnion(group.modifiers.map(\.name.text))
    }
    for type in group.inheritanceClause?.inheritedTypes ?? [] {
      let name = type.type.as(IdentifierTypeSyntax.self)?.name.text ?? type.type.code
      if written.contains(name) { continue }
      written.append(name)
      inherited.append(typeParts(name).last ?? name)
    }
    add(group.memberBlock.members, alias)
  }

  private func add(_ members: MemberBlockItemListSyntax, _ alias: (String) -> String?) {
    for member in members {
      let member = member.decl
      if let function = member.as(FunctionDeclSyntax.self) {
        functions[function.name.text, default: []].append(function)
      } else if let initializer = member.as(InitializerDeclSyntax.self) {
        initializers.append(initializer)
      } else if let deinitializer = member.as(DeinitializerDeclSyntax.self) {
        deinitializers.append(deinitializer)
      } else if let variable = member.as(VariableDeclSyntax.self) {
        add(variable, alias)
      } else if let condition = member.as(IfConfigDeclSyntax.self) {
        for clause in condition.clauses {
          if case .decls(let nested) = clause.elements { add(nested, alias) }
        }
      }
    }
  }

  private func add(_ variable: VariableDeclSyntax, _ alias: (String) -> String?) {
    // `var a, b: Int` writes the type once, after the last name.
    var written = ""
    for binding in variable.bindings.reversed() {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
      if let annotation = binding.typeAnnotation { written = annotation.type.code }
      let value = binding.initializer?.value
      var type = written.isEmpty ? value.map(typeOfValue) ?? "" : written
      type = String(type.filter { !$0.isWhitespace })
      if let target = alias(type.trimmed("?!")) {
        type = "(" + target + ")" + (type.hasSuffix("?") || type.hasSuffix("!") ? "?" : "")
        type = String(type.filter { !$0.isWhitespace })
      }
      properties[name] = Property(
        name: name, type: type, initialValue: value, attributes: attributeNames(variable.attributes),
        modifiers: Set(variable.modifiers.map(\.name.text)), isLet: variable.bindingSpecifier.text == "let",
        accessors: binding.accessorBlock, declaration: variable)
    }
  }
}

/// The type that an initial value shows, such as `Int` for `0` and `Cart` for `Cart()`.
private func typeOfValue(_ value: ExprSyntax) -> String {
  if let call = value.as(FunctionCallExprSyntax.self) {
    let callee = call.calledExpression.code
    let isType =
      callee.first?.isUppercase == true
      || ["[", "os_unfair_lock", "pthread_mutex", "pthread_rwlock"].contains { callee.hasPrefix($0) }
    return isType ? callee : ""
  }
  switch value.kind {
  case .booleanLiteralExpr: return "Bool"
  case .integerLiteralExpr: return "Int"
  case .stringLiteralExpr: return "String"
  case .arrayExpr: return "[]"
  case .closureExpr: return "()->()"
  case .tryExpr: return typeOfValue(value.cast(TryExprSyntax.self).expression)
  default: return value.as(MemberAccessExprSyntax.self)?.base.map { $0.code } ?? ""
  }
}

extension String {
  func trimmed(_ characters: String) -> String {
    var text = Substring(self)
    while let last = text.last, characters.contains(last) { text = text.dropLast() }
    return String(text)
  }
}
