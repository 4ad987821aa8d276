import Audit
import SwiftSyntax

/// A class whose mutable state one private serial queue guards, with the proof: all code that uses the
/// state runs on the queue.
struct GuardedClass {
  let type: TypeInfo
  let node: ClassDeclSyntax
  let queue: Property
  let project: Project
  /// The closures that run on the queue, in the order of the text.
  let entries: [QueueEntry]
  /// The private members that use the state outside of an entry, and so need the queue.
  private(set) var onQueue: Set<SyntaxIdentifier> = []

  /// Where code runs.
  enum Context {
    case entry(QueueEntry)
    /// Directly in a member.
    case member(DeclSyntax)
    /// In a closure that runs at an unknown time, on an unknown thread.
    case elsewhere
  }

  init(_ type: TypeInfo, queue: Property, in project: Project) throws(Refusal) {
    guard let node = type.classDeclaration else { throw Refusal("its declaration is not in the files") }
    (self.type, self.node, self.queue, self.project) = (type, node, queue, project)
    entries = try QueueEntry.all(in: type, queue: queue.name, project)
    try type.requirePlainClass(in: project)
    try requireActorForm()
    try requireSerialQueue()
    try requirePrivateState()
    try findMembersOnQueue()
    try requireUsesOnQueue()
    try requirePlainLifetime()
  }

  func isOnQueue(_ member: DeclSyntax) -> Bool { onQueue.contains(member.id) }

  func refusal(_ reason: String, _ node: some SyntaxProtocol) -> Refusal {
    Refusal(reason, at: project.place(node))
  }

  // MARK: Members

  /// All members, also those of extensions.
  private var members: [DeclSyntax] { type.blocks.flatMap { $0.members.map(\.decl) } }

  /// Whether only the type itself and code of its file can use a member.
  func isPrivate(_ member: DeclSyntax) -> Bool {
    func isPrivate(_ modifiers: DeclModifierListSyntax?) -> Bool {
      modifiers?.contains { $0.name.text == "private" && $0.detail == nil } == true
    }
    return isPrivate(member.asProtocol((any WithModifiersSyntax).self)?.modifiers)
      || isPrivate(member.ancestor(ExtensionDeclSyntax.self)?.modifiers)
  }

  /// The stored properties that the queue guards.
  private var state: [String: Property] {
    type.properties.filter {
      !$0.value.isStatic && $0.value.isStored && !$0.value.isLet
        && isPrivate(DeclSyntax($0.value.declaration))
    }
  }

  /// Whether a property reads and writes a `StateStore`. A change of the state is a read and a write, which
  /// only the queue keeps together.
  private func isComputedState(_ property: Property) -> Bool {
    guard !property.isStatic, let accessors = property.accessors?.code else { return false }
    return accessors.contains("store.value") && accessors.contains("store.send(")
  }

  /// Whether a function of the type with this name returns a value.
  func returnsValue(_ name: String) -> Bool {
    members(named: name).contains { $0.as(FunctionDeclSyntax.self)?.signature.returnClause != nil }
  }

  private func members(named name: String) -> [DeclSyntax] {
    members.filter { member in
      if let function = member.as(FunctionDeclSyntax.self) { return function.name.text == name }
      return member.as(VariableDeclSyntax.self)?.bindings.contains { $0.pattern.code == name } == true
    }
  }

  /// The members that a reference can mean, without overloads with other labels.
  private func targets(of reference: Syntax, named name: String) -> [DeclSyntax] {
    let all = members(named: name)
    let callee = reference.parent?.is(MemberAccessExprSyntax.self) == true ? reference.parent! : reference
    guard all.count > 1, let call = callee.parent?.as(FunctionCallExprSyntax.self),
      Syntax(call.calledExpression).id == callee.id
    else { return all }
    let labels = call.arguments.map { $0.label?.text ?? "_" }
    let matching = all.filter { member in
      guard let function = member.as(FunctionDeclSyntax.self) else { return true }
      var rest = function.signature.parameterClause.parameters.map(\.firstName.text)[...]
      return labels.allSatisfy { label in
        guard let index = rest.firstIndex(of: label) else { return false }
        rest = rest[(index + 1)...]
        return true
      }
    }
    return matching.isEmpty ? all : matching
  }

  // MARK: References

  /// The uses of members of the object in the code of the type, as `name` and as `self.name`, with the
  /// short form `if let name`.
  func references(in block: some SyntaxProtocol) -> [(name: String, node: Syntax)] {
    let names = block.descendants(DeclReferenceExprSyntax.self).compactMap { reference -> (String, Syntax)? in
      guard project.type(around: reference) === type else { return nil }
      let member = reference.parent?.as(MemberAccessExprSyntax.self).flatMap {
        $0.declName.id == reference.id ? $0 : nil
      }
      if let member, member.base == nil { return nil }
      guard let path = Path(member.map { ExprSyntax($0) } ?? ExprSyntax(reference)), path.isMember,
        path.names.count == 1,
        reference.parent?.is(KeyPathPropertyComponentSyntax.self) != true
      else { return nil }
      return (reference.baseName.text, Syntax(reference))
    }
    let shorthands = block.descendants(OptionalBindingConditionSyntax.self).compactMap {
      binding -> (String, Syntax)? in
      guard binding.initializer == nil, project.type(around: binding) === type,
        localDeclaration(of: binding.pattern.code, at: binding) == nil
      else { return nil }
      return (binding.pattern.code, Syntax(binding))
    }
    let captures = block.descendants(ClosureCaptureSyntax.self).compactMap { capture -> (String, Syntax)? in
      guard capture.initializer == nil, capture.name.text != "self", project.type(around: capture) === type,
        let closure = capture.ancestor(ClosureExprSyntax.self),
        localDeclaration(of: capture.name.text, at: closure) == nil
      else { return nil }
      return (capture.name.text, Syntax(capture))
    }
    return names + shorthands + captures
  }

  func context(of node: some SyntaxProtocol) -> Context {
    var isCapture = Syntax(node).is(ClosureCaptureSyntax.self)
    for ancestor in node.ancestors {
      if ancestor.is(ClosureCaptureClauseSyntax.self) { isCapture = true }
      if let closure = ancestor.as(ClosureExprSyntax.self) {
        if isCapture {
          isCapture = false
          continue
        }
        if let entry = entries.first(where: { $0.closure.id == closure.id }) { return .entry(entry) }
        switch closure.use {
        case .once, .many:
          if ["concurrentPerform", "assumeIsolated"].contains(closure.call?.call.name) { return .elsewhere }
        default: return .elsewhere
        }
      }
      if ancestor.parent?.is(MemberBlockItemSyntax.self) == true, let member = ancestor.as(DeclSyntax.self) {
        return .member(member)
      }
      // A local function can run later.
      if ancestor.is(FunctionDeclSyntax.self) { return .elsewhere }
    }
    return .elsewhere
  }

  // MARK: Proof

  private mutating func findMembersOnQueue() throws(Refusal) {
    for property in type.properties.values where state[property.name] != nil || isComputedState(property) {
      if isPrivate(DeclSyntax(property.declaration)) {
        onQueue.insert(DeclSyntax(property.declaration).id)
      }
    }
    let uses = type.blocks.flatMap { references(in: $0) }
    var count: Int
    repeat {
      count = onQueue.count
      for (name, node) in uses {
        guard case .member(let member) = context(of: node), isPrivate(member),
          member.is(FunctionDeclSyntax.self) || member.is(VariableDeclSyntax.self),
          targets(of: node, named: name).contains(where: isOnQueue) || changesState(name, node)
        else { continue }
        onQueue.insert(member.id)
      }
    } while onQueue.count > count
  }

  /// Whether code changes the computed state of a store.
  private func changesState(_ name: String, _ node: Syntax) -> Bool {
    guard type.properties[name].map(isComputedState) == true else { return false }
    var top =
      node.parent?.is(MemberAccessExprSyntax.self) == true && node.position != node.parent?.position
      ? node.parent! : node
    while let parent = top.parent {
      if let call = parent.as(FunctionCallExprSyntax.self) { return project.changesItsValue(call.name) }
      guard
        parent.is(MemberAccessExprSyntax.self) || parent.is(OptionalChainingExprSyntax.self)
          || parent.is(ForceUnwrapExprSyntax.self)
          || parent.as(SubscriptCallExprSyntax.self)?.calledExpression.id == top.as(ExprSyntax.self)?.id
      else { break }
      top = parent
    }
    if top.parent?.is(InOutExprSyntax.self) == true { return true }
    guard let elements = top.parent?.as(ExprListSyntax.self) else { return false }
    let code = elements.dropFirst().first?.code ?? ""
    return code.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains(code)
  }

  private func requireUsesOnQueue() throws(Refusal) {
    for (name, node) in type.blocks.flatMap({ references(in: $0) })
    where targets(of: node, named: name).contains(where: isOnQueue) || changesState(name, node) {
      switch context(of: node) {
      case .entry: continue
      case .member(let member):
        if isOnQueue(member) || member.is(DeinitializerDeclSyntax.self) { continue }
        if member.is(InitializerDeclSyntax.self), state[name] != nil { continue }
        throw refusal("code outside of `\(queue.name)` uses `\(name)`", node)
      case .elsewhere:
        throw refusal("a closure uses `\(name)`, and is not known to run on `\(queue.name)`", node)
      }
    }
    // Another object of the type has a queue of its own.
    let needed = Set(
      members.filter(isOnQueue).flatMap { member -> [String] in
        member.as(FunctionDeclSyntax.self).map { [$0.name.text] }
          ?? member.as(VariableDeclSyntax.self)?.bindings.map(\.pattern.code) ?? []
      })
    for reference in type.references(to: needed, in: project)
    where !["", "self.", "self?.", "self!."].contains(reference.prefix)
      && !isSelf(String(reference.prefix.prefix { !"?!.".contains($0) }), at: reference.node)
    {
      throw refusal("it uses `\(reference.name)` of another object of its type", reference.node)
    }
    for block in type.blocks {
      for access in block.descendants(MemberAccessExprSyntax.self) {
        guard needed.contains(access.declName.baseName.text), let around = project.type(around: access),
          around !== type,
          let name = access.base?.as(DeclReferenceExprSyntax.self)?.baseName.text, name != "self"
        else { continue }
        throw refusal("the nested type `\(around.name)` can use `\(access.declName.baseName.text)`", access)
      }
    }
    if let path = needed.sorted().lazy.compactMap({ type.keyPath(to: $0) }).first {
      throw refusal("a key path names `\(path.declName.baseName.text)`", path)
    }
  }

  private func requirePrivateState() throws(Refusal) {
    for property in type.properties.values.sorted(by: { $0.declaration.position < $1.declaration.position })
    where !property.isStatic && property.isStored {
      let name = property.name, declaration = property.declaration
      if property.isLock { throw refusal("the lock `\(name)` guards state, too", declaration) }
      if property.isLet { continue }
      if isPrivate(DeclSyntax(declaration)) { continue }
      if property.modifiers.contains("fileprivate") && !property.hasFilePrivateSetter {
        throw refusal("`\(name)` is not private, so other code of the file can use it", declaration)
      }
      guard (property.isClosure || property.isWeak) && declaration.bindings.count == 1 else {
        throw refusal(
          "`\(name)` is not private, so other code can use it outside of `\(queue.name)`", declaration)
      }
    }
    guard !state.isEmpty || type.properties.values.contains(where: isComputedState) else {
      throw refusal("`\(queue.name)` guards no private state", queue.declaration)
    }
  }

  private func requireSerialQueue() throws(Refusal) {
    let declaration = queue.declaration
    guard queue.isLet, queue.isPrivate, !queue.modifiers.contains("lazy"), declaration.bindings.count == 1
    else {
      throw refusal("`\(queue.name)` is not a private constant", declaration)
    }
    guard let call = queue.initialValue?.as(FunctionCallExprSyntax.self), call.callee == "DispatchQueue",
      call.arguments.first?.label?.text == "label"
    else {
      throw refusal(
        "`\(queue.name)` is not made by `DispatchQueue(label:)`, so it may be concurrent", declaration)
    }
    if call.argument("attributes") != nil { throw refusal("`\(queue.name)` may be concurrent", declaration) }
    for name in ["isolation", "unownedExecutor"]
    where type.properties[name] != nil || type.functions[name] != nil {
      throw refusal(
        "`\(name)` is there already: rename that first", type.properties[name]?.declaration ?? declaration)
    }
  }

  /// Refuses what an actor cannot have.
  private func requireActorForm() throws(Refusal) {
    let known: Set = [
      "Sendable", "@unchecked Sendable", "AnyObject", "Equatable", "Hashable", "Identifiable",
      "CustomStringConvertible",
      "CustomDebugStringConvertible", "StateSource",
    ]
    for name in type.inherited where !known.contains(name) {
      guard let parent = project.type(named: name, in: type), parent.kind == .protocol else {
        throw refusal("`\(name)` is not a protocol in the files: it may be a class, or need one", node.name)
      }
      if parent.attributes.contains("objc")
        || project.inherits(parent, from: ["NSObjectProtocol", "Codable", "Decodable"])
      {
        throw refusal("an actor cannot conform to `\(name)`", node.name)
      }
    }
    if let modifier = node.modifiers.first(where: { $0.name.text == "open" }) {
      throw refusal("it is open, and an actor has no subclasses", modifier)
    }
    if let attribute = node.attributes.first {
      throw refusal("it has the attribute `\(attribute.code)`", attribute)
    }
    for member in members {
      if member.is(IfConfigDeclSyntax.self) { throw refusal("it has members in `#if`", member) }
      let modifiers = member.asProtocol((any WithModifiersSyntax).self)?.modifiers.map(\.name.text) ?? []
      if modifiers.contains("static") || declGroup(Syntax(member)) != nil { continue }
      let plain: Set = ["discardableResult", "available", "inline", "inlinable", "usableFromInline"]
      if let attributes = member.asProtocol((any WithAttributesSyntax).self)?.attributes,
        !attributeNames(attributes).isSubset(of: plain)
      {
        throw refusal("a member has the attribute `\(attributes.code)`", attributes)
      }
      for modifier in member.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
      where ["override", "open", "class", "dynamic"].contains(modifier.name.text) {
        throw refusal("a member is `\(modifier.name.text)`, which no member of an actor is", modifier)
      }
    }
  }

  /// Checks the initializers and the deinitializer, which run outside of the actor.
  private func requirePlainLifetime() throws(Refusal) {
    for member in members
    where member.is(InitializerDeclSyntax.self) || member.is(DeinitializerDeclSyntax.self) {
      let isDeinit = member.is(DeinitializerDeclSyntax.self)
      let accesses = references(in: member).filter { state[$0.name] != nil }
      let escape = member.descendants(DeclReferenceExprSyntax.self).filter { reference in
        guard reference.baseName.text == "self" else { return false }
        guard let access = reference.parent?.as(MemberAccessExprSyntax.self) else { return true }
        if case .member = context(of: reference) {} else { return true }
        return type.properties[access.declName.baseName.text]?.isStored != true
      }.map(\.position)
      let calls = references(in: member).filter { use in
        type.properties[use.name].map { !$0.isStored } ?? (type.functions[use.name] != nil)
      }.map(\.node.position)
      let closures = member.descendants(ClosureExprSyntax.self).filter { closure in
        entries.contains { $0.closure.id == closure.id }
      }.map(\.position)
      guard let first = (escape + calls + closures).min() else { continue }
      if isDeinit { throw refusal("`deinit` does more than read stored properties", member) }
      if let late = accesses.first(where: { access in
        guard case .member = context(of: access.node) else { return false }
        return access.node.position > first
      }) {
        throw refusal("an initializer uses `\(late.name)` after other code can use the object", late.node)
      }
    }
  }
}
