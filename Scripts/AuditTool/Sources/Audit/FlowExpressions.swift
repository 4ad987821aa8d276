import SwiftSyntax

// The expressions and calls of a flow.

extension Flow {
  func expression(_ node: ExprSyntax, _ points: Points, label: String? = nil) -> Points {
    if points.isEmpty { return points }
    switch node.kind {
    case .sequenceExpr: return sequence(Array(node.cast(SequenceExprSyntax.self).elements)[...], points)
    case .infixOperatorExpr:
      let infix = node.cast(InfixOperatorExprSyntax.self)
      return sequence([infix.leftOperand, infix.operator, infix.rightOperand], points)
    case .awaitExpr:
      let inner = expression(node.cast(AwaitExprSyntax.self).expression, points)
      return emit(.await(Syntax(node)), inner)
    case .tryExpr:
      let tried = node.cast(TryExprSyntax.self)
      if tried.questionOrExclamationMark != nil {
        let outer = sinks.throwing
        sinks.throwing = [:]
        var result = expression(tried.expression, points)
        if tried.questionOrExclamationMark?.text == "?" { result.formUnion(all(sinks.throwing)) }
        sinks.throwing = outer
        return result
      }
      let result = expression(tried.expression, points)
      sinks.throwing[Syntax(node), default: []].formUnion(result)
      return result
    case .functionCallExpr: return call(node.cast(FunctionCallExprSyntax.self), points)
    case .closureExpr: return emit(.closure(node.cast(ClosureExprSyntax.self)), points)
    case .declReferenceExpr, .memberAccessExpr, .subscriptCallExpr, .optionalChainingExpr, .forceUnwrapExpr,
      .inOutExpr:
      return reference(node, points)
    case .ifExpr:
      let branch = node.cast(IfExprSyntax.self)
      let (passed, failed) = conditions(branch.conditions, points)
      var result = block(Array(branch.body.statements)[...], passed)
      switch branch.elseBody {
      case .codeBlock(let body): result.formUnion(block(Array(body.statements)[...], failed))
      case .ifExpr(let next): result.formUnion(expression(ExprSyntax(next), failed))
      case nil: result.formUnion(failed)
      }
      if let label { result.formUnion(sinks.breaks.removeValue(forKey: label) ?? []) }
      return result
    case .switchExpr: return self.switch(node.cast(SwitchExprSyntax.self), points, label)
    case .ternaryExpr:
      let ternary = node.cast(TernaryExprSyntax.self)
      let points = expression(ternary.condition, points)
      return expression(ternary.thenExpression, points).union(expression(ternary.elseExpression, points))
    case .keyPathExpr, .macroExpansionExpr: return points
    default: return node.children(viewMode: .sourceAccurate).reduce(points) { child($1, $0) }
    }
  }

  func child(_ node: Syntax, _ points: Points) -> Points {
    if node.kind == .token { return points }
    if let node = node.as(ExprSyntax.self) { return expression(node, points) }
    if node.kind == .functionDecl { return points }
    if let block = node.as(CodeBlockSyntax.self) { return self.block(Array(block.statements)[...], points) }
    return node.children(viewMode: .sourceAccurate).reduce(points) { child($1, $0) }
  }

  func `switch`(_ node: SwitchExprSyntax, _ points: Points, _ label: String?) -> Points {
    let outer = condition
    if outer == nil || entered.isEmpty { condition = Syntax(node) }
    let points = expression(node.subject, points)
    condition = outer
    let breaks = sinks.breaks
    sinks.breaks = [:]
    var result = Points(), fallen = Points()
    let cases = node.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
    for (index, item) in cases.enumerated() {
      var enter = emit(.assume(Syntax(node), outcome: index, of: cases.count), points)
      if case .case(let label) = item.label {
        for pattern in label.caseItems {
          let names = boundNames(pattern.pattern)
          if !names.isEmpty { enter = emit(.bind(names, node.subject), enter) }
          if let filter = pattern.whereClause { enter = expression(filter.condition, enter) }
        }
      }
      enter.formUnion(fallen)
      let ends = block(Array(item.statements)[...], enter)
      if item.statements.last?.item.is(FallThroughStmtSyntax.self) == true {
        fallen = ends
      } else {
        fallen = []
        result.formUnion(ends)
      }
    }
    result.formUnion(sinks.breaks.removeValue(forKey: "") ?? [])
    if let label { result.formUnion(sinks.breaks.removeValue(forKey: label) ?? []) }
    sinks.breaks.merge(breaks) { $0.union($1) }
    return result
  }

  /// Evaluates `a = b`, `a += b`, `a && b`, `a ?? b`, `a ? b : c` and other operators, which the
  /// parser leaves unfolded.
  func sequence(_ elements: ArraySlice<ExprSyntax>, _ points: Points) -> Points {
    var points = points
    if elements.count >= 3 {
      let target = elements[elements.startIndex], operation = elements[elements.startIndex + 1]
      let rest = elements[(elements.startIndex + 2)...]
      let name = operation.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
      let isCompound = name.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(name)
      if operation.is(AssignmentExprSyntax.self) || isCompound {
        points = subscripts(of: target, points)
        points = sequence(rest, points)
        let value = rest.count == 1 ? rest.first : rest.first?.parent?.parent?.as(ExprSyntax.self)
        return write(target, value, isCompound, points)
      }
    }
    var index = elements.startIndex
    while index < elements.endIndex {
      let element = elements[index]
      if let ternary = element.as(UnresolvedTernaryExprSyntax.self) {
        let then = expression(ternary.thenExpression, points)
        return then.union(sequence(elements[(index + 1)...], points))
      }
      if let name = element.as(BinaryOperatorExprSyntax.self)?.operator.text,
        ["&&", "||", "??"].contains(name)
      {
        // What follows is evaluated, or not.
        return points.union(sequence(elements[(index + 1)...], points))
      }
      points = expression(element, points)
      index += 1
    }
    return points
  }

  func write(
    _ target: ExprSyntax, _ value: ExprSyntax?, _ isCompound: Bool, _ points: Points
  ) -> Points {
    if let tuple = target.as(TupleExprSyntax.self) {
      return tuple.elements.reduce(points) { write($1.expression, value, isCompound, $0) }
    }
    guard let path = Path(target) else { return points }
    let isPartial = target.is(SubscriptCallExprSyntax.self)
    return emit(
      .write(path, Syntax(target), value: value, isCompound: isCompound || isPartial), forget(path, points))
  }

  func forget(_ path: Path, _ points: Points) -> Points {
    guard !correlated.isEmpty else { return points }
    return Set(
      points.map { point in
        var point = point
        for key in point.facts.keys where key.contains(path.last) { point.facts[key] = nil }
        return point
      })
  }

  /// Evaluates what stands in brackets within a path.
  func subscripts(of node: ExprSyntax, _ points: Points) -> Points {
    var points = points, node = node
    while true {
      if let member = node.as(MemberAccessExprSyntax.self), let base = member.base {
        node = base
      } else if let subscripted = node.as(SubscriptCallExprSyntax.self) {
        for argument in subscripted.arguments { points = expression(argument.expression, points) }
        node = subscripted.calledExpression
      } else if let chained = node.as(OptionalChainingExprSyntax.self) {
        node = chained.expression
      } else if let forced = node.as(ForceUnwrapExprSyntax.self) {
        node = forced.expression
      } else {
        return points
      }
    }
  }

  func reference(_ node: ExprSyntax, _ points: Points) -> Points {
    guard let path = Path(node) else {
      // The name in `call().name` and `.name` is none of the type around it.
      if let member = node.as(MemberAccessExprSyntax.self) {
        return member.base.map { expression($0, points) } ?? points
      }
      return node.children(viewMode: .sourceAccurate).reduce(points) { child($1, $0) }
    }
    var points = subscripts(of: node, points)
    if !path.isMember, path.names.count == 1, let closure = localClosure(path.first, node) {
      return emit(.closure(closure), points)
    }
    points = emit(.read(path, Syntax(node), condition: condition), points)
    if path.isMember, options.followsCalls,
      let property = project.property(path.first, of: project.type(around: node)),
      let accessors = property.accessors, !property.isStored
    {
      points = enter(getter(accessors), Syntax(accessors), points)
    }
    return points
  }

  func getter(_ accessors: AccessorBlockSyntax) -> CodeBlockItemListSyntax? {
    switch accessors.accessors {
    case .getter(let statements): statements
    case .accessors(let list): list.first { $0.accessorSpecifier.text == "get" }?.body?.statements
    }
  }

  func localClosure(_ name: String, _ node: ExprSyntax) -> ClosureExprSyntax? {
    localDeclaration(of: name, at: node)?.as(PatternBindingSyntax.self)?.initializer?.value.as(
      ClosureExprSyntax.self)
  }

  // MARK: Calls

  func call(_ node: FunctionCallExprSyntax, _ points: Points) -> Points {
    var points = points
    let name = node.name
    if let receiver = node.receiver {
      points = expression(receiver, points)
    } else if node.calledExpression.as(DeclReferenceExprSyntax.self) == nil,
      node.calledExpression.as(ClosureExprSyntax.self) == nil,
      node.calledExpression.as(OptionalChainingExprSyntax.self)?.expression.is(DeclReferenceExprSyntax.self)
        != true
    {
      points = child(Syntax(node.calledExpression), points)
    }
    for argument in node.arguments where !argument.expression.is(ClosureExprSyntax.self) {
      points = expression(argument.expression, points)
    }
    if let closure = node.calledExpression.as(ClosureExprSyntax.self) {
      points = run(closure, node, points, isOnce: true)
    }
    // `finish(result)` for `let finish = { … }`
    if let path = Path(node.calledExpression), !path.isMember, path.names.count == 1,
      let closure = localClosure(path.first, node.calledExpression), entered.count < 3,
      !entered.contains(closure.id)
    {
      entered.append(closure.id)
      points = run(closure, node, points, isOnce: true)
      entered.removeLast()
    }
    for (_, closure) in node.closures {
      switch project.use(of: closure) {
      case .once where name == "Result":
        // The result keeps what the closure throws.
        let outer = sinks.throwing
        sinks.throwing = [:]
        points = run(closure, node, points, isOnce: true).union(all(sinks.throwing))
        sinks.throwing = outer
      case .once: points = run(closure, node, points, isOnce: true)
      case .many: points = run(closure, node, points, isOnce: false)
      case .task where options.entersTasks:
        _ = run(closure, node, points, isOnce: true)
      case .task, .later: points = emit(.closure(closure), points)
      }
    }
    if ["fatalError", "preconditionFailure", "exit", "abort", "_exit"].contains(name), node.receiver == nil {
      return []
    }
    points = emit(.call(node), points)
    if let receiver = node.receiver, mutatingMethods.contains(name), let path = Path(receiver),
      isValue(path, node),
      !isAwaited(node)
    {
      points = emit(.write(path, Syntax(node), value: nil, isCompound: true), forget(path, points))
    }
    if options.followsCalls, let body = body(of: node) {
      points = enter(body.statements, Syntax(body), points)
    }
    return points
  }

  /// Whether a method can change a property itself, and not only an object to which it refers.
  func isValue(_ path: Path, _ node: some SyntaxProtocol) -> Bool {
    guard path.isMember, let property = project.property(path.first, of: project.type(around: node)) else {
      return true
    }
    return isValueType(property, project)
  }

  /// Whether the call itself is awaited, and so belongs to another object.
  func isAwaited(_ node: FunctionCallExprSyntax) -> Bool {
    var parent = node.parent
    while let current = parent, current.is(OptionalChainingExprSyntax.self) || current.is(TryExprSyntax.self)
    { parent = current.parent }
    return parent?.is(AwaitExprSyntax.self) == true
  }

  /// Runs a closure in place. What it returns or throws ends the closure.
  func run(
    _ closure: ClosureExprSyntax, _ call: FunctionCallExprSyntax, _ points: Points, isOnce: Bool
  ) -> Points {
    let outer = (sinks.returns, sinks.breaks, sinks.continues, condition)
    (sinks.returns, sinks.breaks, sinks.continues) = ([:], [:], [:])
    condition = nil
    let begun = emit(.begin(call), points)
    var ends = block(Array(closure.statements)[...], begun)
    ends.formUnion(all(sinks.returns))
    if !isOnce {
      // A second and a third run, and none. A state that has run already ends as it did.
      var seen = begun
      for _ in 0..<2 {
        let again = emit(.begin(call), ends).subtracting(seen)
        if again.isEmpty { break }
        seen.formUnion(again)
        ends.formUnion(block(Array(closure.statements)[...], again))
        ends.formUnion(all(sinks.returns))
      }
    }
    (sinks.returns, sinks.breaks, sinks.continues, condition) = outer
    ends = emit(.end(call), ends)
    return isOnce ? ends : ends.union(points)
  }

  /// The body of the called function, if it belongs to the own type or to the function around the
  /// call.
  func body(of call: FunctionCallExprSyntax) -> CodeBlockSyntax? {
    guard let path = Path(call.calledExpression), path.names.count == 1 else { return nil }
    if !path.isMember {
      return localDeclaration(of: path.first, at: call)?.as(FunctionDeclSyntax.self)?.body
    }
    let count =
      call.arguments.count + (call.trailingClosure == nil ? 0 : 1) + call.additionalTrailingClosures.count
    let candidates = project.functions(path.first, of: project.type(around: call)).filter {
      let parameters = $0.signature.parameterClause.parameters
      return count <= parameters.count && parameters.filter { $0.defaultValue == nil }.count <= count
    }
    return candidates.count == 1 ? candidates[0].body : nil
  }

  func enter(_ statements: CodeBlockItemListSyntax?, _ body: Syntax, _ points: Points) -> Points {
    guard let statements, entered.count < 3, !entered.contains(body.id), !own.contains(body.id),
      !points.isEmpty
    else {
      return points
    }
    entered.append(body.id)
    let outer = sinks
    sinks = Sinks()
    var ends = block(Array(statements)[...], points)
    ends.formUnion(all(sinks.returns))
    let thrown = sinks.throwing
    sinks = outer
    sinks.throwing.merge(thrown) { $0.union($1) }
    entered.removeLast()
    return ends
  }

  func all(_ points: [Syntax: Points]) -> Points {
    points.values.reduce(into: []) { $0.formUnion($1) }
  }
}

private let mutatingMethods: Set = [
  "append", "insert", "remove", "removeAll", "removeFirst", "removeLast", "removeValue", "updateValue",
  "formUnion",
  "subtract", "formIntersection", "merge", "sort", "reverse", "toggle", "popLast", "popFirst", "swapAt",
  "shuffle",
  "removeSubrange", "replaceSubrange", "formSymmetricDifference", "negate", "move", "enqueue", "dequeue",
  "update",
  "partition", "updateOrAppend", "prepend",
]
