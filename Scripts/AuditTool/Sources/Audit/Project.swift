import SwiftSyntax

/// A type with its extensions in all files.
public final class TypeInfo: @unchecked Sendable {  // Changes only while the project is being made.
  public enum Kind: Sendable { case `class`, actor, `struct`, `enum`, `protocol`, unknown }

  public let name: String
  public fileprivate(set) var kind = Kind.unknown
  /// Superclass and protocols, also those of extensions.
  public fileprivate(set) var inherited: [String] = []
  public fileprivate(set) var attributes: Set<String> = []
  public fileprivate(set) var modifiers: Set<String> = []
  public fileprivate(set) var properties: [String: Property] = [:]
  public fileprivate(set) var functions: [String: [FunctionDeclSyntax]] = [:]
  public fileprivate(set) var initializers: [InitializerDeclSyntax] = []
  public fileprivate(set) var deinitializers: [DeinitializerDeclSyntax] = []
  /// The member blocks of the declaration and its extensions, each with its file.
  public fileprivate(set) var blocks: [MemberBlockSyntax] = []
  public fileprivate(set) var declaration: DeclSyntax?
  /// Whether one object of the type lives as long as the app.
  public fileprivate(set) var livesWithApp = false

  init(name: String) { self.name = name }

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

private let closureNames = ["Handler", "Completion", "Callback", "Closure", "Block"]
let lockTypes = [
  "NSLock", "NSRecursiveLock", "UnfairLock", "os_unfair_lock", "OSAllocatedUnfairLock", "Mutex",
  "NSConditionLock",
  "pthread_mutex_t", "Lock", "NIOLock", "ReadWriteLock", "RecursiveLock",
  "UnsafeMutablePointer<os_unfair_lock>",
]
private let mainActorBases: Set = [
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

/// All files of an analysis, with an index of their types.
public final class Project: Sendable {
  public let files: [SourceFile]
  public let types: [String: TypeInfo]
  /// What each type alias stands for.
  public let aliases: [String: String]
  /// The type of each declaration and extension.
  private let groups: [SyntaxIdentifier: TypeInfo]

  public init(_ files: [SourceFile]) {
    self.files = files
    var types: [String: TypeInfo] = [:]
    var known: [SyntaxIdentifier: TypeInfo] = [:]
    var aliases: [String: String] = [:]
    for file in files {
      for alias in file.all(TypeAliasDeclSyntax.self) {
        aliases[alias.name.text] = alias.initializer.value.code
      }
    }
    func info(_ name: String) -> TypeInfo {
      if let known = types[name] { return known }
      let new = TypeInfo(name: name)
      types[name] = new
      return new
    }
    for file in files {
      let groups: [any DeclGroupSyntax] =
        file.all(ClassDeclSyntax.self) + file.all(StructDeclSyntax.self) as [any DeclGroupSyntax]
        + file.all(EnumDeclSyntax.self) + file.all(ActorDeclSyntax.self)
        + file.all(ProtocolDeclSyntax.self) + file.all(ExtensionDeclSyntax.self)
      for group in groups {
        let type = info(typeName(group))
        type.add(group, aliases)
        known[group.id] = type
      }
    }
    for type in types.values { type.livesWithApp = type.findsSharedObject }
    groups = known
    self.types = types
    self.aliases = aliases
  }

  /// The type in whose declaration or extension a node stands.
  public func type(around node: some SyntaxProtocol) -> TypeInfo? {
    var node = node.parent
    while let current = node {
      switch current.kind {
      case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl:
        return groups[current.id]
      default: node = current.parent
      }
    }
    return nil
  }

  /// The type that a declaration declares or extends.
  func info(of group: any DeclGroupSyntax) -> TypeInfo? { groups[group.id] }

  /// Whether a type, its superclass or one of its protocols has one of the names.
  public func inherits(_ type: TypeInfo, from names: Set<String>) -> Bool {
    var seen: Set<String> = [], next = [type.name]
    while let name = next.popLast() {
      guard seen.insert(name).inserted else { continue }
      if name != type.name, names.contains(name) { return true }
      next += types[name]?.inherited ?? []
    }
    return false
  }

  public func isMainActor(_ type: TypeInfo) -> Bool {
    if type.attributes.contains("MainActor") { return true }
    if inherits(type, from: mainActorBases) || type.isReference && hasScreenBase(type) { return true }
    return type.inherited.contains { types[$0]?.attributes.contains("MainActor") == true }
  }

  /// Whether a superclass is a class of UIKit, or one of another module that is named like a screen.
  private func hasScreenBase(_ type: TypeInfo) -> Bool {
    var type = type, depth = 0
    while let base = type.inherited.first, depth < 5 {
      guard let known = types[base], known.kind == .class else {
        return types[base].map { $0.kind == .unknown } != false && isScreenClass(base)
      }
      type = known
      depth += 1
    }
    return false
  }

  private func isScreenClass(_ name: String) -> Bool {
    if ["ViewController", "View", "Cell"].contains(where: { name.hasSuffix($0) }) { return true }
    let rest = name.dropFirst(2)
    return name.hasPrefix("UI") && rest.first?.isUppercase == true
      && !["Delegate", "DataSource", "Image", "Color", "Font", "BezierPath", "ItemProvider", "Document"]
        .contains { rest.hasSuffix($0) }
  }

  public func isViewController(_ type: TypeInfo) -> Bool {
    type.inherited.contains { $0.hasSuffix("ViewController") || $0.hasSuffix("HostingController") }
      || inherits(type, from: ["UIViewController", "NSViewController"])
  }

  public func isView(_ type: TypeInfo) -> Bool { inherits(type, from: ["View"]) }

  public func isObservable(_ type: TypeInfo) -> Bool {
    type.attributes.contains("Observable") || inherits(type, from: ["ObservableObject"])
  }

  /// Whether a type is named like a view model, or observed by views.
  public func isViewModel(_ type: TypeInfo) -> Bool { isViewModel(named: type.name) || isObservable(type) }

  public func isViewModel(named name: String) -> Bool {
    name.hasSuffix("ViewModel") || name.hasSuffix("Presenter") || name.hasSuffix("VM")
      || (name.hasSuffix("Model") && types[name].map { $0.isReference && isObservable($0) } == true)
  }

  /// The property that `name` means in the type around a node, with those of superclasses in the
  /// project.
  public func property(_ name: String, of type: TypeInfo?) -> Property? {
    var type = type, depth = 0
    while let current = type, depth < 5 {
      if let found = current.properties[name] { return found }
      type = current.inherited.lazy.compactMap { self.types[$0] }.first { $0.kind == .class }
      depth += 1
    }
    return nil
  }

  /// The functions with a name in a type and its superclasses.
  public func functions(_ name: String, of type: TypeInfo?) -> [FunctionDeclSyntax] {
    guard let type else { return [] }
    return type.functions[name] ?? type.inherited.lazy.compactMap { self.types[$0]?.functions[name] }.first
      ?? []
  }
}

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

func typeName(_ group: any DeclGroupSyntax) -> String {
  if let named = group.asProtocol((any NamedDeclSyntax).self) { return named.name.text }
  guard let type = group.as(ExtensionDeclSyntax.self)?.extendedType else { return "" }
  if let member = type.as(MemberTypeSyntax.self) { return member.name.text }
  return type.as(IdentifierTypeSyntax.self)?.name.text ?? type.code
}

/// The names of the attributes without `@` and arguments.
public func attributeNames(_ list: AttributeListSyntax) -> Set<String> {
  Set(
    list.compactMap {
      $0.as(AttributeSyntax.self)?.attributeName.code.split(separator: ".").last.map(String.init)
    })
}

extension TypeInfo {
  fileprivate func add(_ group: any DeclGroupSyntax, _ aliases: [String: String]) {
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
      let last = name.split(separator: ".").last.map(String.init) ?? name
      if !inherited.contains(last) { inherited.append(last) }
    }
    add(group.memberBlock.members, aliases)
  }

  private func add(_ members: MemberBlockItemListSyntax, _ aliases: [String: String]) {
    for member in members {
      let member = member.decl
      if let function = member.as(FunctionDeclSyntax.self) {
        functions[function.name.text, default: []].append(function)
      } else if let initializer = member.as(InitializerDeclSyntax.self) {
        initializers.append(initializer)
      } else if let deinitializer = member.as(DeinitializerDeclSyntax.self) {
        deinitializers.append(deinitializer)
      } else if let variable = member.as(VariableDeclSyntax.self) {
        add(variable, aliases)
      } else if let condition = member.as(IfConfigDeclSyntax.self) {
        for clause in condition.clauses {
          if case .decls(let nested) = clause.elements { add(nested, aliases) }
        }
      }
    }
  }

  private func add(_ variable: VariableDeclSyntax, _ aliases: [String: String]) {
    // `var a, b: Int` writes the type once, after the last name.
    var written = ""
    for binding in variable.bindings.reversed() {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
      if let annotation = binding.typeAnnotation { written = annotation.type.code }
      let value = binding.initializer?.value
      var type = written.isEmpty ? value.map(typeOfValue) ?? "" : written
      type = String(type.filter { !$0.isWhitespace })
      if let alias = aliases[type.trimmed("?!")] {
        type = "(" + alias + ")" + (type.hasSuffix("?") || type.hasSuffix("!") ? "?" : "")
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
      || ["[", "os_unfair_lock", "pthread_mutex"].contains { callee.hasPrefix($0) }
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
