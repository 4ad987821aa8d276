import Audit
import SwiftSyntax

/// Step 4 of the guide: a `StateStore` publishes the state. Callbacks, boxes and delegates stay as
/// a bridge for callers that do not observe `states()` yet.
struct StateStoreStep: Step {
  let name = "state-store"
  let summary =
    "Publishes the state of a view model through a `StateStore`. Callbacks, boxes and delegates stay as a bridge."
  let subject = "a class with a struct `state` or boxes that is not published by a `StateStore`"
  let page = "FromAViewController/Step4PublishAStream"

  func changes(in scope: Scope) -> [Change] {
    let project = scope.project
    return scope.viewModels().compactMap { type in
      let taken = type.properties["store"]
      let isPublished =
        taken?.initialValue?.code.hasPrefix("StateStore") == true
        || taken?.type.hasPrefix("StateStore") == true
      // A model that SwiftUI observes is no concern of the step, unless the caller names it.
      guard !isPublished, !type.attributes.contains("Observable") || !scope.only.isEmpty else { return nil }
      let boxes = type.boxes(in: project), rest = type.stateProperties(in: project)
      let state = type.properties["state"].flatMap { $0.isStored && !$0.isLet && !$0.isStatic ? $0 : nil }
      if state == nil && boxes.isEmpty && rest.isEmpty { return nil }
      return Change(type.name, in: project) { edits throws(Refusal) in
        if let taken {
          throw Refusal("`store` is there already: rename that first", at: project.place(taken.declaration))
        }
        guard rest.isEmpty else { throw missingStruct(rest, of: type, in: project) }
        var publication = try Publication(of: type, state, boxes, in: project)
        try publication.write(&edits)
      }
    }
  }
}

extension StateStoreStep {
  /// Names the step state-struct only if that changes the type.
  private func missingStruct(_ rest: [Property], of type: TypeInfo, in project: Project) -> Refusal {
    do { try type.requirePlainClass(in: project) } catch { return error }
    let names = rest.map(\.name).joined(separator: "`, `")
    let reason = "`\(names)` \(rest.count == 1 ? "is" : "are") not part of a struct `state`"
    let first = StateStructStep().changes(in: Scope(project, only: [type.name])).first
    guard case .failure(let refusal)? = first?.outcome else {
      return Refusal("\(reason): run the step state-struct first")
    }
    return Refusal("\(reason), and state-struct cannot collect them: \(refusal.reason)", at: refusal.place)
  }
}

private struct Publication {
  private let type: TypeInfo
  private let node: ClassDeclSyntax
  private let state: Property?
  private let boxes: [Property]
  private let project: Project

  init(of type: TypeInfo, _ state: Property?, _ boxes: [Property], in project: Project) throws(Refusal) {
    guard let node = type.classDeclaration else { throw Refusal("its declaration is not in the files") }
    try type.requirePlainClass(in: project)
    (self.type, self.node, self.state, self.boxes, self.project) = (type, node, state, boxes, project)
    if state == nil,
      let taken = type.properties["state"].map({ Syntax($0.declaration) })
        ?? type.nestedType("State").map({ Syntax($0) })
    {
      throw Refusal("`state` or `State` is there already: rename that first", at: place(taken))
    }
  }

  private func place(_ node: some SyntaxProtocol) -> Place? { project.file(of: node)?.place(node) }

  mutating func write(_ edits: inout Edits) throws(Refusal) {
    let fields = try moveBoxes(&edits)
    let members = type.nestedType("State")?.memberBlock.members.map(\.decl.code) ?? []
    if let found = project.unsendableType(in: members + fields + [state?.type ?? ""], of: type) {
      throw Refusal(
        "observers of the state can be on any thread, and `\(found.name)` is \(found.reason)",
        at: place(node.name))
    }
    if let state {
      try publish(state, &edits)
      if !fields.isEmpty {
        guard let last = type.nestedType("State")?.memberBlock.members.last else {
          throw Refusal("`State` is not in the class: move the boxes by hand", at: place(node.name))
        }
        edits.insertLines(fields, after: last)
      }
    } else {
      let lines =
        ["struct State {"] + fields.map { "\t" + $0 }
        + ["}", "", "\(storePrefix)let store = StateStore(State())"] + computedState + ["", bridgeComment]
      edits.insertLines(lines, before: boxes[0].declaration)
    }
    markBridges(&edits)
    conform(&edits)
    edits.addImport("AsyncViewModels", to: node)
  }

  private var isMainActor: Bool { project.isMainActor(type) }

  private var isPublic: Bool { node.modifiers.contains { ["public", "open"].contains($0.name.text) } }

  /// Whether other modules see the class, but not its state.
  private var isHidden: Bool {
    isPublic && type.nestedType("State")?.modifiers.contains { $0.name.text == "public" } != true
  }

  private var storePrefix: String {
    (isPublic && !isHidden ? "public " : "") + (isMainActor ? "nonisolated " : "")
  }

  private var computedState: [String] {
    ["private(set) var state: State {", "\tget { store.value }", "\tset { store.send(newValue) }", "}"]
  }

  // MARK: The state

  private func publish(_ state: Property, _ edits: inout Edits) throws(Refusal) {
    guard state.declaration.bindings.count == 1, let written = state.writtenType(in: project),
      state.attributes.isEmpty
    else {
      throw Refusal("`state` has no written type, or an attribute", at: place(state.declaration))
    }
    if type.nestedType("State") != nil, !["State", "\(type.name).State"].contains(written) {
      throw Refusal(
        "`state` is a `\(written)`, and observers of the class would expect its `State`: change one of the two",
        at: place(state.declaration))
    }
    let references = type.references(to: ["state"], in: project).filter { $0.initializer != nil }
    if let value = state.initialValue {
      let isTyped = state.binding?.typeAnnotation == nil || value.code.hasPrefix(written + "(")
      let made = "StateStore\(isTyped ? "" : "<\(written)>")(\(value.code))"
      edits.insertLines(["\(storePrefix)let store = \(made)", ""], before: state.declaration)
    } else {
      let isOptional = state.isOptional
      let made = isOptional ? " = StateStore<\(written)>(nil)" : ": StateStore<\(written)>"
      edits.insertLines(["\(storePrefix)let store\(made)", ""], before: state.declaration)
      if !isOptional {
        for initializer in type.initializers
        where !initializer.modifiers.contains(where: { $0.name.text == "convenience" }) {
          let own = references.filter { $0.initializer?.id == initializer.id && $0.assignment != nil }
          guard own.count == 1 else {
            throw Refusal(
              "an initializer does not set `state` once, in a statement of its own", at: place(initializer))
          }
        }
      }
    }
    try edits.makeComputed(
      state.declaration, type: written, getter: "store.value", setter: "store.send(newValue)")

    // In an initializer, observers do not run, and the object may not be complete.
    for reference in references {
      let target = reference.prefix.isEmpty ? Syntax(reference.node) : Syntax(reference.node.parent!)
      let store = TypeInfo.state(at: reference.node, reference.prefix, name: "store")
      if let (statement, value) = reference.assignment {
        if state.initialValue == nil && !state.isOptional {
          edits.replace(reference.node, with: store)
          edits.insert("StateStore(", before: value.parts[0])
          edits.insert(")", after: statement.item)
        } else {
          edits.replace(
            target.positionAfterSkippingLeadingTrivia, value.parts[0].positionAfterSkippingLeadingTrivia,
            in: target,
            with: "\(reference.prefix)\(store).send(")
          edits.insert(")", after: statement.item)
        }
      } else if let statement = changed(target) {
        let other = statement.descendants(DeclReferenceExprSyntax.self).contains {
          $0.id != reference.node.id
            && ($0.baseName.text == "self" && reference.prefix.isEmpty || $0.baseName.text == "state")
        }
        guard !other else {
          throw Refusal("an initializer changes `state` with values of the object", at: place(statement))
        }
        edits.replace(target, with: "\(reference.prefix)\(store).update { $0")
        edits.insert(" }", after: statement.item)
      } else if isWritten(target) {
        throw Refusal(
          "an initializer changes `state` within another statement: change it in a statement of its own",
          at: place(target))
      }
    }
  }

  /// The statement that changes an expression: an assignment, or a call of a mutating method.
  private func changed(_ node: Syntax) -> CodeBlockItemSyntax? {
    var top = node
    while let parent = top.parent {
      if let member = parent.as(MemberAccessExprSyntax.self), member.base.map({ Syntax($0).id }) == top.id {
        top = parent
      } else if let call = parent.as(FunctionCallExprSyntax.self), Syntax(call.calledExpression).id == top.id
      {
        guard mutating.contains(call.name), parent.parent?.is(CodeBlockItemSyntax.self) == true else {
          return nil
        }
        return parent.parent?.as(CodeBlockItemSyntax.self)
      } else if parent.is(OptionalChainingExprSyntax.self) || parent.is(ForceUnwrapExprSyntax.self)
        || parent.as(SubscriptCallExprSyntax.self).map({ Syntax($0.calledExpression).id == top.id }) == true
      {
        top = parent
      } else {
        break
      }
    }
    guard let elements = top.parent?.as(ExprListSyntax.self), elements.first.map({ Syntax($0).id }) == top.id,
      let second = elements.dropFirst().first
    else { return nil }
    let isCompound =
      second.as(BinaryOperatorExprSyntax.self).map {
        $0.operator.text.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains($0.operator.text)
      } == true
    guard isCompound || second.is(AssignmentExprSyntax.self) else { return nil }
    return elements.parent?.parent?.as(CodeBlockItemSyntax.self)
  }

  /// Whether an assignment changes an expression, alone or as a part of a tuple.
  private func isWritten(_ node: some SyntaxProtocol) -> Bool {
    for ancestor in node.ancestors {
      if ancestor.is(CodeBlockItemSyntax.self) { return false }
      guard let elements = ancestor.as(ExprListSyntax.self), let first = elements.first,
        node.position == first.position
          || first.is(TupleExprSyntax.self) && node.position < first.endPosition,
        let sign = elements.dropFirst().first
      else { continue }
      let text = sign.code
      if sign.is(AssignmentExprSyntax.self)
        || text.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains(text)
      {
        return true
      }
    }
    return false
  }

  // MARK: Boxes

  /// Moves the values of the boxes to the state, and sets a box after each change of its value.
  /// Returns the fields of the state.
  private func moveBoxes(_ edits: inout Edits) throws(Refusal) -> [String] {
    var fields: [String] = []
    for box in boxes {
      let place = place(box.declaration)
      guard box.declaration.bindings.count == 1, box.isLet || box.isPrivate || box.hasPrivateSetter,
        let call = box.initialValue?.as(FunctionCallExprSyntax.self),
        let value = call.arguments.first?.expression
      else { throw Refusal("`\(box.name)` is no box that is made in its declaration and stays", at: place) }
      let written = box.binding?.typeAnnotation?.type.code ?? box.type
      var field = "var \(box.name)"
      if let start = written.firstIndex(of: "<"), let end = written.lastIndex(of: ">") {
        field += ": " + written[written.index(after: start)..<end]
      } else if value.is(NilLiteralExprSyntax.self) || value.code == "[]" {
        throw Refusal("the type of the value of `\(box.name)` is not written", at: place)
      }
      fields.append(field + " = " + value.code)
      if let write = writes(of: box).first {
        throw Refusal(
          "other code sets `\(box.name)`, so the state would not be the whole truth", at: self.place(write))
      }
    }
    for reference in type.references(to: Set(boxes.map(\.name)), in: project) {
      let target = reference.prefix.isEmpty ? Syntax(reference.node) : Syntax(reference.node.parent!)
      guard let access = target.parent?.as(MemberAccessExprSyntax.self),
        access.base.map({ Syntax($0).id }) == target.id,
        access.declName.baseName.text == "value"
      else {
        if target.parent?.parent?.is(PatternBindingSyntax.self) == true {
          throw Refusal("`\(reference.name)` gets another name, under which it can change", at: place(target))
        }
        continue
      }
      if access.parent?.is(InOutExprSyntax.self) == true {
        throw Refusal("`\(reference.name)` is passed as inout", at: place(access))
      }
      edits.replace(
        reference.node.positionAfterSkippingLeadingTrivia, access.endPositionBeforeTrailingTrivia, in: access,
        with: "\(TypeInfo.state(at: access, reference.prefix)).\(reference.name)")
      guard let statement = changed(Syntax(access)) else {
        if let call = access.parent?.parent?.as(FunctionCallExprSyntax.self), mutating.contains(call.name) {
          throw Refusal(
            "`\(reference.name)` changes within another statement: change it in a statement of its own",
            at: place(call))
        }
        guard !isWritten(access) else {
          throw Refusal(
            "`\(reference.name)` changes within another statement: change it in a statement of its own",
            at: place(access))
        }
        continue
      }
      guard reference.initializer == nil else {
        throw Refusal(
          "an initializer sets `\(reference.name)`: set its first value where it is declared",
          at: place(access))
      }
      let owner = reference.prefix.isEmpty ? "" : "self."
      let state = TypeInfo.state(at: access, owner)
      let bridge = "\(owner)\(reference.name).value = \(owner)\(state).\(reference.name)"
      if reference.prefix.isEmpty || reference.prefix == "self." {
        edits.insertLines([bridge], after: statement)
      } else if reference.prefix == "self?." {
        edits.insertLines(["if let self { \(bridge) }"], after: statement)
      } else {
        let name = reference.prefix.filter { $0 != "?" }
        edits.insertLines(
          [
            "\(name)\(reference.name).value = \(name)state.\(reference.name)"
          ], after: statement)
      }
    }
    return fields
  }

  /// The assignments to the value of a box in code of other types.
  private func writes(of box: Property) -> [SequenceExprSyntax] {
    project.files.filter { !$0.isTest }.flatMap { $0.all(SequenceExprSyntax.self) }.filter { sequence in
      guard let first = sequence.elements.first?.as(MemberAccessExprSyntax.self),
        first.declName.baseName.text == "value",
        first.base?.as(MemberAccessExprSyntax.self)?.declName.baseName.text == box.name,
        sequence.elements.dropFirst().first?.is(AssignmentExprSyntax.self) == true
      else { return false }
      guard let path = Path(ExprSyntax(first)) else { return true }
      return !(path.isMember && path.names.count == 2)
    }
  }

  // MARK: The class

  private func markBridges(_ edits: inout Edits) {
    let bridges = type.properties.values.filter { property in
      guard !property.isStatic, property.isStored, property.declaration.parent != nil else { return false }
      let name = property.name.lowercased()
      return boxes.contains { $0.name == property.name }
        || !property.isPrivate && !property.isLet
          && (property.isClosure
            && (name.hasPrefix("on") || name.hasPrefix("did") || name.contains("change")
              || name.contains("update"))
            || property.isWeak && name.hasSuffix("delegate"))
    }.sorted { $0.declaration.position < $1.declaration.position }
    guard let first = bridges.first, boxes.isEmpty || state != nil || first.name != boxes[0].name else {
      return
    }
    edits.insertLines([bridgeComment], before: first.declaration)
  }

  private func conform(_ edits: inout Edits) {
    if isHidden {
      let question =
        "Do other modules observe `\(type.name)`? Then make `State` and `store` public, and conform to `StateSource`."
      return edits.insertLines([decision(question)], before: node)
    }
    let isChecked = isMainActor || type.isSendable
    let added = isChecked ? "StateSource" : "StateSource, @unchecked Sendable"
    if let last = node.inheritanceClause?.inheritedTypes.last {
      edits.insert(", \(added)", after: last)
    } else if let clause = node.genericParameterClause {
      edits.insert(": \(added)", after: clause)
    } else {
      edits.insert(": \(added)", after: node.name)
    }
    if isChecked { return }
    let guarding = type.properties.values.filter { $0.isQueue || $0.isLock }.map(\.name).sorted().first
    let question =
      guarding.map { "Does `\($0)` guard all properties of `\(type.name)` that change?" }
      ?? "What guards the properties of `\(type.name)` that change, such as the main thread?"
    edits.insertLines([decision(question + " `@unchecked Sendable` claims it.")], before: node)
  }
}

private let bridgeComment =
  "// Bridge for callers that do not observe `states()`. Delete it after its last caller."

extension TypeInfo {
  /// The boxes of the class in the order of the text.
  fileprivate func boxes(in project: Project) -> [Property] {
    guard let members = classDeclaration?.memberBlock.members else { return [] }
    return members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.flatMap { variable in
      variable.bindings.compactMap { properties[$0.pattern.code] }
    }.filter { $0.isStored && !$0.isStatic && isBox($0, in: project) }
  }
}
