import SwiftSyntax

/// Which code names which types of a project, and which of their members it uses.
struct PlanIndex: Sendable {
  /// A type that code names.
  struct Mention: Hashable, Sendable {
    let name: String
    /// The type around the code.
    let owner: String
    let path: String
    let line: Int
    /// Whether the code makes an object of the type.
    let isConstruction: Bool
  }

  /// A member of an object that code uses.
  struct Use: Hashable, Sendable {
    /// The types that the object can have.
    let types: [String]
    let member: String
    let owner: String
    let path: String
    /// The first and last line of the use, with the closures of a call.
    let lines: ClosedRange<Int>
    let hasClosure: Bool
  }

  private(set) var mentions: [Mention] = []
  private(set) var uses: [Use] = []

  init(_ project: Project, _ names: PlanNames) {
    let files = project.files
    let found: [IndexVisitor] = parallel(files.count) { index in
      let visitor = IndexVisitor(files[index], project, names)
      visitor.walk(files[index].tree)
      return visitor
    }
    mentions = found.flatMap(\.mentions)
    uses = found.flatMap(\.uses)
  }
}

/// The names of types in texts of types.
struct PlanNames: Sendable {
  let project: Project
  /// The types of a property if all properties with this name have the same.
  private(set) var ofProperty: [String: [String]] = [:]

  init(_ project: Project) {
    self.project = project
    var texts: [String: Set<String>] = [:]
    for type in project.types.values {
      for property in type.properties.values { texts[property.name, default: []].insert(property.plainType) }
    }
    for (name, types) in texts where types.count == 1 { ofProperty[name] = self.in(types.first!) }
  }

  /// The names of the project's types in the text of a type, with those of its aliases.
  func `in`(_ text: String) -> [String] {
    var names: [String] = [], seen: Set<String> = []
    func add(_ text: String) {
      for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
        let name = String(word)
        guard name.first?.isUppercase == true, seen.insert(name).inserted else { continue }
        if project.types[name] != nil { names.append(name) }
        if let alias = project.aliases[name] { add(alias) }
      }
    }
    add(text)
    return names
  }
}

private final class IndexVisitor: SyntaxVisitor {
  private(set) var mentions: [PlanIndex.Mention] = []
  private(set) var uses: [PlanIndex.Use] = []
  private let file: SourceFile
  private let project: Project
  private let names: PlanNames
  private var owners: [TypeInfo] = []
  private var parameters: [[String: [String]]] = []

  init(_ file: SourceFile, _ project: Project, _ names: PlanNames) {
    self.file = file
    self.project = project
    self.names = names
    super.init(viewMode: .sourceAccurate)
  }

  private func enter(_ group: some DeclGroupSyntax) -> SyntaxVisitorContinueKind {
    guard let type = project.info(of: group) else { return .skipChildren }
    owners.append(type)
    return .visitChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
  override func visitPost(_ node: ClassDeclSyntax) { owners.removeLast() }
  override func visitPost(_ node: StructDeclSyntax) { owners.removeLast() }
  override func visitPost(_ node: EnumDeclSyntax) { owners.removeLast() }
  override func visitPost(_ node: ActorDeclSyntax) { owners.removeLast() }
  override func visitPost(_ node: ProtocolDeclSyntax) { owners.removeLast() }
  override func visitPost(_ node: ExtensionDeclSyntax) { owners.removeLast() }

  private func enter(_ signature: FunctionSignatureSyntax) -> SyntaxVisitorContinueKind {
    var known: [String: [String]] = [:]
    for parameter in signature.parameterClause.parameters {
      known[(parameter.secondName ?? parameter.firstName).text] = names.in(parameter.type.code)
    }
    parameters.append(known)
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.signature) }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.signature) }
  override func visitPost(_ node: FunctionDeclSyntax) { parameters.removeLast() }
  override func visitPost(_ node: InitializerDeclSyntax) { parameters.removeLast() }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    add(node.name.text, at: Syntax(node), isConstruction: false)
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.baseName.text
    if name.first?.isUppercase == true {
      let isCalled =
        node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == ExprSyntax(node).id
      add(name, at: Syntax(node), isConstruction: isCalled)
    }
    return .skipChildren
  }

  private func add(_ name: String, at node: Syntax, isConstruction: Bool) {
    let all = project.types[name] != nil ? [name] : project.aliases[name].map(names.in) ?? []
    guard !all.isEmpty else { return }
    let line = file.line(of: node.positionAfterSkippingLeadingTrivia), owner = owners.last?.name ?? ""
    for name in all where name != owner {
      mentions.append(
        .init(name: name, owner: owner, path: file.path, line: line, isConstruction: isConstruction))
    }
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    guard let base = node.base else { return .visitChildren }
    let types = types(of: base)
    guard !types.isEmpty else { return .visitChildren }
    let call = node.parent?.as(FunctionCallExprSyntax.self).flatMap {
      $0.calledExpression.id == ExprSyntax(node).id ? $0 : nil
    }
    let whole = call.map { Syntax($0) } ?? Syntax(node)
    let first = file.line(of: node.declName.positionAfterSkippingLeadingTrivia)
    let last = file.line(of: whole.endPositionBeforeTrailingTrivia)
    uses.append(
      .init(
        types: types, member: node.declName.baseName.text, owner: owners.last?.name ?? "", path: file.path,
        lines: first...max(first, last),
        hasClosure: call.map {
          !$0.closures.isEmpty || $0.arguments.contains { $0.label?.text == "completion" }
        }
          ?? false))
    return .visitChildren
  }

  /// The types of an object: those of the property or parameter with its last name, or of the type
  /// that has it, as in `Service.shared`.
  private func types(of base: ExprSyntax) -> [String] {
    var base = base
    while true {
      if let chained = base.as(OptionalChainingExprSyntax.self) {
        base = chained.expression
      } else if let forced = base.as(ForceUnwrapExprSyntax.self) {
        base = forced.expression
      } else {
        break
      }
    }
    if let call = base.as(FunctionCallExprSyntax.self) {
      // `Service().load`
      let name = call.name
      return project.types[name] != nil ? [name] : []
    }
    if let reference = base.as(DeclReferenceExprSyntax.self) {
      let name = reference.baseName.text
      if name == "self" { return [] }
      if project.types[name] != nil { return [name] }
      if let known = parameters.last?[name], !known.isEmpty { return known }
      if let property = project.property(name, of: owners.last) { return names.in(property.plainType) }
      return names.ofProperty[name] ?? []
    }
    guard let member = base.as(MemberAccessExprSyntax.self) else { return [] }
    let name = member.declName.baseName.text
    if let inner = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text {
      if inner == "self", let property = project.property(name, of: owners.last) {
        return names.in(property.plainType)
      }
      if project.types[inner] != nil {
        let property = project.property(name, of: project.types[inner])
        return property.map { names.in($0.plainType) }.flatMap { $0.isEmpty ? nil : $0 } ?? [inner]
      }
    }
    return names.ofProperty[name] ?? []
  }
}
