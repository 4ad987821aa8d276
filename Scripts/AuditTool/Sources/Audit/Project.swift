import SwiftSyntax

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
  /// Whether `Observable` is RxSwift's, if the project declares no such type.
  let usesRx: Bool
  /// The type of each declaration and extension.
  private let groups: [SyntaxIdentifier: TypeInfo]

  public init(_ files: [SourceFile]) {
    self.files = files
    usesRx = files.contains { $0.imports("RxSwift", "RxCocoa", "RxRelay") }
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
    markGlobalObjects(in: files, of: all) { [types] name, node, file in
      types.find(typeParts(name), in: lexicalPath(node), file: file.path)
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
