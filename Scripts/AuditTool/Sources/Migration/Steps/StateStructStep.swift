import Audit
import SwiftSyntax

/// Step 2 of the guide: the properties that make the state of a view model become one struct.
struct StateStructStep: Step {
  let name = "state-struct"
  let summary = "Collects the properties that make the state of a view model in one struct."
  let subject = "a class with values that change and are in no struct `state`"
  let page = "FromAViewController/Step2CollectTheState"

  func changes(in scope: Scope) -> [Change] {
    let project = scope.project
    return scope.viewModels().compactMap { type in
      let properties = type.stateProperties(in: project)
      // A model that SwiftUI observes is no concern of the step, unless the caller names it.
      guard !properties.isEmpty, !type.attributes.contains("Observable") || !scope.only.isEmpty else {
        return nil
      }
      return Change(type.name, in: project) { edits throws(Refusal) in
        try collect(properties, of: type, in: project, &edits)
      }
    }
  }

  private func collect(
    _ properties: [Property], of type: TypeInfo, in project: Project, _ edits: inout Edits
  )
    throws(Refusal)
  {
    try type.requirePlainClass(in: project)
    func refuse(_ property: Property, _ reason: String) -> Refusal {
      Refusal(
        "`\(property.name)` \(reason)",
        at: project.file(of: property.declaration)?.place(property.declaration))
    }
    if let taken = type.properties["state"] ?? type.properties["store"] {
      throw refuse(
        taken, "is there already: move `\(properties.map(\.name).joined(separator: "`, `"))` by hand")
    }
    if let taken = type.nestedType("State") {
      throw Refusal(
        "it has a type `State` already: rename that first", at: project.file(of: taken)?.place(taken))
    }
    let names = Set(properties.map(\.name))
    let references = type.references(to: names, in: project)
    let observed = Set(properties.filter { $0.binding?.accessorBlock != nil }.map(\.name))
    for reference in references where !observed.contains(reference.name) {
      try requireExclusiveChange(reference, names, of: type, in: project)
    }
    let hidden = type.hiddenTypes(in: project)
    var shown: Set<SyntaxIdentifier> = []
    var fields: [String] = []
    for property in properties {
      guard property.declaration.bindings.count == 1, let binding = property.binding else {
        throw refuse(property, "shares its declaration with another property")
      }
      if property.isPrivate, let path = type.keyPath(to: property.name) {
        throw Refusal("`\(property.name)` is named in a key path", at: project.file(of: path)?.place(path))
      }
      guard
        let written = property.writtenType(in: project)
          ?? (property.isPrivate && binding.accessorBlock == nil ? "" : nil)
      else { throw refuse(property, "has no written type") }
      guard !type.hasStaticProperty(property.name) else {
        throw refuse(property, "is also a static property")
      }
      // A field must not be seen by more code than its type. All code that sees the property sees its type.
      let typed = binding.typeAnnotation?.code ?? property.initialValue?.code ?? property.type
      let isHiddenType =
        property.isHiddenFromOtherFiles && typed.typeWords.contains { hidden[$0] != nil }
      if isHiddenType { edits.show(typed, hidden, &shown) }
      var field =
        (isHiddenType ? "fileprivate " : "") + "var \(property.name)" + (binding.typeAnnotation?.code ?? "")
      if let value = property.initialValue {
        field += " = " + value.lines.replacing("Self.", with: type.name + ".")
      }
      // The lines of a long value stand one level deeper.
      let unit = edits.indentationUnit(of: property.declaration)
      field = field.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .map { $0.offset == 0 || $0.element.isEmpty ? String($0.element) : unit + $0.element }
        .joined(separator: "\n")
      let isRemoved = property.isPrivate && binding.accessorBlock == nil
      let end = isRemoved ? property.declaration.trailingTrivia.description : ""
      fields += (isRemoved ? edits.comments(of: property.declaration) : []) + [field + end]
      if isRemoved { continue }
      let isReadOnly =
        property.hasPrivateSetter && !property.hasFilePrivateSetter
        && type.keyPath(to: property.name) == nil
      try edits.makeComputed(
        property.declaration, type: written, getter: "state.\(property.name)",
        setter: "state.\(property.name) = newValue", hasSetter: !isReadOnly)
      if isReadOnly, binding.accessorBlock == nil,
        let modifier = property.declaration.modifiers.first(where: { $0.detail != nil })
      {
        edits.replace(
          modifier.positionAfterSkippingLeadingTrivia, modifier.endPosition, in: modifier, with: "")
      }
    }

    let uninitialized = properties.filter { $0.initialValue == nil && !$0.isOptional }
    let assignments = try initialize(uninitialized, of: type, references, names, in: project, &edits)
    if let property = properties.first(where: { !$0.standsAlone }) {
      throw refuse(property, "shares its line with other code")
    }
    let isChangedElsewhere = Set(references.compactMap { project.file(of: $0.node)?.path }).count > 1
    let isHidden = properties.allSatisfy(\.isPrivate)
    let declared = isHidden ? "private var" : isChangedElsewhere ? "var" : "private(set) var"
    let first = properties[0].declaration
    let questions = type.questions(about: references, in: project)
    var lines = questions.map(decision) + ["struct State {"] + fields.map { "\t" + $0 } + ["}", ""]
    lines.append(uninitialized.isEmpty ? "\(declared) state = State()" : "\(declared) state: State")
    let removed = properties.filter { $0.isPrivate && $0.binding?.accessorBlock == nil }
    if removed.first?.name == properties[0].name {
      edits.replaceLines(first, with: lines)
    } else {
      edits.insertLines(lines + [""], before: first)
    }
    for property in removed where property.name != properties[0].name {
      edits.removeLines(property.declaration)
    }
    rewrite(
      references.filter { !assignments.contains($0.node.id) }, properties, of: type, in: project, &edits)
  }

  /// Refuses a change of one field during which other fields are used. Two properties can be used
  /// at the same time, but two fields of one property cannot: the process stops.
  private func requireExclusiveChange(
    _ reference: MemberReference, _ names: Set<String>, of type: TypeInfo, in project: Project
  ) throws(Refusal) {
    func refuse(_ node: some SyntaxProtocol) -> Refusal {
      Refusal(
        "`\(reference.name)` changes while other code of the class runs: read what that needs into a constant before",
        at: project.file(of: node)?.place(node))
    }
    func usesOthers(_ call: FunctionCallExprSyntax) -> Bool {
      call.closures.flatMap { $0.closure.descendants(DeclReferenceExprSyntax.self) }.contains { node in
        let name = node.baseName.text
        let isOwn =
          names.contains(name) || type.functions[name] != nil || type.properties[name]?.isStored == false
        guard isOwn else { return false }
        guard let member = node.parent?.as(MemberAccessExprSyntax.self), member.declName.id == node.id else {
          return localDeclaration(of: name, at: node) == nil
        }
        return Path(ExprSyntax(member)).map { $0.isMember && $0.names.count == 1 } == true
      }
    }
    var node = reference.prefix.isEmpty ? Syntax(reference.node) : Syntax(reference.node.parent!)
    while let parent = node.parent,
      parent.is(MemberAccessExprSyntax.self) || parent.is(OptionalChainingExprSyntax.self)
        || parent.is(ForceUnwrapExprSyntax.self)
        || parent.as(SubscriptCallExprSyntax.self).map({ Syntax($0.calledExpression).id == node.id }) == true
    {
      node = parent
    }
    if let call = node.parent?.as(FunctionCallExprSyntax.self), Syntax(call.calledExpression).id == node.id,
      project.changesItsValue(call.name), usesOthers(call)
    {
      throw refuse(call)
    }
    if let passed = node.parent?.as(InOutExprSyntax.self),
      let call = passed.ancestor(FunctionCallExprSyntax.self)
    {
      let count = call.arguments.count { $0.expression.is(InOutExprSyntax.self) }
      if count > 1 || type.functions[call.name] != nil || usesOthers(call) { throw refuse(call) }
    }
  }

  /// Turns the assignments of the properties without a first value into one. Returns the references
  /// that it has edited.
  private func initialize(
    _ properties: [Property], of type: TypeInfo, _ references: [MemberReference], _ names: Set<String>,
    in project: Project, _ edits: inout Edits
  ) throws(Refusal) -> Set<SyntaxIdentifier> {
    guard !properties.isEmpty else { return [] }
    var edited: Set<SyntaxIdentifier> = []
    let designated = type.initializers.filter { !$0.modifiers.contains { $0.name.text == "convenience" } }
    guard !designated.isEmpty else { throw Refusal("`\(properties[0].name)` has no first value") }
    for initializer in designated {
      func refuse(_ reason: String) -> Refusal {
        Refusal(reason, at: project.file(of: initializer)?.place(initializer))
      }
      let own = references.filter { $0.initializer?.id == initializer.id }
      var assigned: [(reference: MemberReference, statement: CodeBlockItemSyntax, value: AssignedValue)] = []
      for property in properties {
        let found = own.filter { $0.name == property.name && $0.assignment != nil }
        guard found.count == 1, let (statement, value) = found[0].assignment,
          statement.parent?.id == initializer.body?.statements.id
        else {
          throw refuse("an initializer does not set `\(property.name)` once, in a statement of its own")
        }
        assigned.append((found[0], statement, value))
      }
      let order = assigned.sorted { $0.statement.position < $1.statement.position }
      let last = order.last!
      guard
        !own.contains(where: { reference in
          reference.node.position < last.statement.endPosition
            && !assigned.contains { $0.reference.node.id == reference.node.id }
        })
      else { throw refuse("an initializer uses its state before all of it is set") }
      // The values with calls run at the last statement, in the order of the properties.
      let calls = order.filter { !$0.value.isPlain }.map(\.statement)
      guard calls.map(\.id) == assigned.filter({ !$0.value.isPlain }).map(\.statement.id) else {
        throw refuse("an initializer sets its state in another order than that of the properties")
      }
      let later = last.statement.siblings[..<last.statement.index].dropFirst(
        (calls.first ?? last.statement).index)
      if let other = later.first(where: { item in
        !item.isPlainAssignment && !assigned.contains { $0.statement.id == item.id }
      }) {
        throw refuse("an initializer runs `\(other.code)` before all of its state is set")
      }
      for (reference, statement, _) in order.dropLast() {
        edits.removeStatement(statement)
        edited.insert(reference.node.id)
      }
      let arguments = assigned.map { "\($0.reference.name): \($0.value.code)" }.joined(separator: ", ")
      let state = TypeInfo.state(at: last.statement, last.reference.prefix)
      edits.replaceCode(last.statement.item, with: "\(last.reference.prefix)\(state) = State(\(arguments))")
      edited.insert(last.reference.node.id)
    }
    return edited
  }

  /// Lets code of the type use the struct. Code that sets a property with an observer still uses
  /// the computed property, which runs the code of the observer.
  private func rewrite(
    _ references: [MemberReference], _ properties: [Property], of type: TypeInfo, in project: Project,
    _ edits: inout Edits
  ) {
    let observed = Dictionary(
      properties.compactMap { property in property.binding?.accessorBlock.map { (property.name, $0) } }
    ) { first, _ in first }
    for reference in references {
      if let block = observed[reference.name], reference.initializer == nil,
        !reference.node.ancestors.contains(where: { $0.id == block.id })
      {
        continue
      }
      let state = TypeInfo.state(at: reference.node, reference.prefix)
      edits.replace(reference.node, with: "\(state).\(reference.name)")
    }
    for block in type.blocks {
      for condition in block.descendants(OptionalBindingConditionSyntax.self)
      where condition.initializer == nil {
        let name = condition.pattern.code
        guard properties.contains(where: { $0.name == name }), observed[name] == nil,
          project.type(around: condition) === type, localDeclaration(of: name, at: condition) == nil
        else { continue }
        edits.insert(" = \(TypeInfo.state(at: condition)).\(name)", after: condition.pattern)
      }
      for capture in block.descendants(ClosureCaptureSyntax.self) where capture.initializer == nil {
        let name = capture.name.text
        guard properties.contains(where: { $0.name == name }), observed[name] == nil,
          project.type(around: capture) === type,
          capture.ancestor(ClosureExprSyntax.self).map({ localDeclaration(of: name, at: $0) == nil }) == true
        else { continue }
        let state = capture.ancestor(ClosureExprSyntax.self).map { TypeInfo.state(at: $0) } ?? "state"
        edits.replace(capture.name, with: "\(name) = \(state).\(name)")
      }
    }
  }
}
