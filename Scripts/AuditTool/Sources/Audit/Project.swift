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
  public fileprivate(set) var kind = Kind.unknown
  /// Superclass and protocols, also those of extensions.
  public fileprivate(set) var inherited: [String] = []
  /// `inherited` with the types around each name.
  fileprivate var written: [String] = []
  /// What `inherited` names, as far as the project declares or extends it.
  fileprivate(set) var supertypes: [TypeInfo?] = []
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
  private let typeIndex: DeclarationIndex<TypeInfo>
  /// What each type alias stands for.
  private let aliasIndex: DeclarationIndex<String>
  /// The types by name, for code that reads all of them. Of several with one name, the outermost one,
  /// in the first file. ``type(named:in:)`` says what a name means in a type.
  public let types: [String: TypeInfo]
  public let aliases: [String: String]
  /// The type of each declaration and extension.
  private let groups: [SyntaxIdentifier: TypeInfo]

  public init(_ files: [SourceFile]) {
    self.files = files
    var types = DeclarationIndex<TypeInfo>(), aliases = DeclarationIndex<String>()
    var groups: [SyntaxIdentifier: TypeInfo] = [:], all: [TypeInfo] = []
    func add(_ path: [String], _ file: SourceFile) -> TypeInfo {
      let new = TypeInfo(path: path, file: file.path)
      types.add(new, at: path, file: file.path)
      all.append(new)
      return new
    }
    for file in files {
      for alias in file.all(TypeAliasDeclSyntax.self) {
        aliases.add(alias.initializer.value.code, at: lexicalPath(Syntax(alias)), file: file.path)
      }
      // A file can declare a type twice, for two platforms.
      var own: [[String]: TypeInfo] = [:]
      for group in file.declarations {
        let path = lexicalPath(Syntax(group))
        let type = own[path] ?? add(path, file)
        own[path] = type
        groups[group.id] = type
      }
    }
    for file in files {
      for group in file.all(ExtensionDeclSyntax.self) {
        let path = lexicalPath(Syntax(group))
        groups[group.id] = types.find(path, in: [], file: file.path) ?? add(path, file)
      }
    }
    for file in files {
      for group in file.declarations + file.all(ExtensionDeclSyntax.self) as [any DeclGroupSyntax] {
        guard let type = groups[group.id] else { continue }
        type.add(group) { aliases.find(typeParts($0), in: type.path, file: type.file) }
      }
    }
    for type in all {
      type.livesWithApp = type.findsSharedObject
      type.supertypes = type.written.map { types.find(typeParts($0), in: type.path, file: type.file) }
    }
    self.groups = groups
    typeIndex = types
    aliasIndex = aliases
    self.types = types.outermost
    self.aliases = aliases.outermost
  }

  /// The type that a written name means in the code of a type.
  public func type(named name: String, in scope: TypeInfo? = nil) -> TypeInfo? {
    let parts = typeParts(name)
    var scope = scope, depth = 0
    repeat {
      if let found = typeIndex.find(parts, in: scope?.path ?? [], file: scope?.file ?? "") { return found }
      // A class has the nested types of its superclass.
      scope = scope?.superclass
      depth += 1
    } while scope != nil && depth < 5
    return nil
  }

  /// How many types have a name, in different types or modules.
  func typeCount(named name: String) -> Int { typeIndex.count(of: name) }

  /// What a type alias means in the code of a type.
  func alias(_ name: String, in scope: TypeInfo?) -> String? {
    aliasIndex.find(typeParts(name), in: scope?.path ?? [], file: scope?.file ?? "")
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
    var seen: Set<ObjectIdentifier> = [], next = [type]
    while let current = next.popLast() {
      guard seen.insert(ObjectIdentifier(current)).inserted else { continue }
      for (name, known) in zip(current.inherited, current.supertypes) {
        // A nested type is not the framework's type of this name.
        if names.contains(name), known?.path.count ?? 1 == 1 { return true }
        if let known { next.append(known) }
      }
    }
    return false
  }

  public func isMainActor(_ type: TypeInfo) -> Bool {
    if type.attributes.contains("MainActor") { return true }
    if inherits(type, from: mainActorBases) || type.isReference && hasScreenBase(type) { return true }
    return type.supertypes.contains { $0?.attributes.contains("MainActor") == true }
  }

  /// Whether a superclass is a class of UIKit, or one of another module that is named like a screen.
  private func hasScreenBase(_ type: TypeInfo) -> Bool {
    var type = type, depth = 0
    while let base = type.inherited.first, depth < 5 {
      guard let known = type.supertypes[0], known.kind == .class else {
        return type.supertypes[0].map { $0.kind == .unknown } != false && isScreenClass(base)
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
  public func isViewModel(_ type: TypeInfo) -> Bool { isViewModel(named: type.name, type) }

  /// Whether a type with a name is a view model. `known` is the type, if the project declares it.
  func isViewModel(named name: String, _ known: TypeInfo?) -> Bool {
    ["ViewModel", "Presenter", "VM"].contains { name.hasSuffix($0) } || known.map(isObservable) == true
  }

  /// The property that `name` means in the type around a node, with those of superclasses in the
  /// project.
  public func property(_ name: String, of type: TypeInfo?) -> Property? {
    var type = type, depth = 0
    while let current = type, depth < 5 {
      if let found = current.properties[name] { return found }
      type = current.superclass
      depth += 1
    }
    return nil
  }

  /// The functions with a name in a type and its superclasses.
  public func functions(_ name: String, of type: TypeInfo?) -> [FunctionDeclSyntax] {
    guard let type else { return [] }
    return type.functions[name] ?? type.supertypes.lazy.compactMap { $0?.functions[name] }.first ?? []
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

/// The names of the types around a declaration, and its own.
private func lexicalPath(_ node: Syntax) -> [String] {
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
  fileprivate var declarations: [any DeclGroupSyntax] {
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
  fileprivate func add(_ group: any DeclGroupSyntax, _ alias: (String) -> String?) {
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
