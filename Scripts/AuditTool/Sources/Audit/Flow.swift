import SwiftSyntax

/// What happens on a path through a body, in the order of evaluation.
public enum Event {
  /// A path is read. `condition` is the `if`, `guard`, `while` or `switch` whose outcome depends on
  /// the value.
  case read(Path, Syntax, condition: Syntax?)
  /// A path is assigned, or changed by a mutating method. `isCompound` means that the new value is
  /// made of the current one: `+=`, `append`.
  case write(Path, Syntax, value: ExprSyntax?, isCompound: Bool)
  /// A call, after its arguments have been evaluated.
  case call(FunctionCallExprSyntax)
  case await(Syntax)
  /// A branch is taken: `outcome` is 1 or 0 for a condition that holds or fails, or the index of a
  /// `case`.
  case assume(Syntax, outcome: Int, of: Int)
  /// A closure is made that does not run in place.
  case closure(ClosureExprSyntax)
  /// Local names are bound.
  case bind([String], ExprSyntax?)
  /// The closure of a call such as `withLock` begins to run, and has run.
  case begin(FunctionCallExprSyntax)
  case end(FunctionCallExprSyntax)
}

/// All paths through a body, with a state for each: an abstract interpretation.
///
/// The rule's `transition` changes the state at each event. Equal states at one place are merged,
/// so the number of paths does not matter, only the number of different states. Loops run until no
/// new state appears.
public final class Flow<State: Hashable> {
  /// Which code a flow enters.
  public struct Options {
    /// Enters the functions and computed properties of the own type, and local functions.
    public var followsCalls = true
    /// Enters the body of `Task { … }` at the place where the task is made.
    public var entersTasks = false
    public init(followsCalls: Bool = true, entersTasks: Bool = false) {
      self.followsCalls = followsCalls
      self.entersTasks = entersTasks
    }
  }

  /// A state, and the `return`, `throw` or `try` at which it leaves a body.
  public struct End: Hashable {
    public var state: State
    public var node: Syntax
  }

  /// The states at the ends of a body.
  public struct Exits {
    public var normal: Set<State> = []
    /// In the order of the text. Two ends can have equal states.
    public var returns: [End] = []
    public var throwing: [End] = []
    /// Whether there were too many states to follow. A rule then says nothing.
    public var isIncomplete = false
  }

  private struct Point: Hashable {
    var state: State
    /// The outcomes of conditions that the body asks several times.
    var facts: [String: Bool] = [:]
  }
  private typealias Points = Set<Point>
  private struct Sinks {
    /// The points that leave the body, by the node at which they leave.
    var returns: [Syntax: Points] = [:]
    var throwing: [Syntax: Points] = [:]
    var breaks: [String: Points] = [:]
    var continues: [String: Points] = [:]
  }

  private let project: Project
  private let options: Options
  private let transition: (Event, State) -> State?
  private var sinks = Sinks()
  private var condition: Syntax?
  private var correlated: Set<String> = []
  private var entered: [SyntaxIdentifier] = []
  private var isIncomplete = false
  private let limit = 150
  /// How many states have met an event. A body with very many is not followed to its end.
  private var steps = 0
  private let mostSteps = 20_000

  public init(
    _ project: Project, options: Options = Options(), transition: @escaping (Event, State) -> State?
  ) {
    self.project = project
    self.options = options
    self.transition = transition
  }

  /// Follows all paths of a body from a state.
  public func run(_ statements: CodeBlockItemListSyntax, from state: State) -> Exits {
    correlated = repeatedConditions(in: statements)
    sinks = Sinks()
    isIncomplete = false
    steps = 0
    let normal = block(Array(statements)[...], [Point(state: state)])
    var exits = Exits(normal: Set(normal.map(\.state)), isIncomplete: isIncomplete)
    exits.returns = ends(sinks.returns)
    exits.throwing = ends(sinks.throwing)
    return exits
  }

  private func ends(_ points: [Syntax: Points]) -> [End] {
    points.sorted { $0.key.position < $1.key.position }.flatMap { node, points in
      Set(points.map(\.state)).map { End(state: $0, node: node) }
    }
  }

  // MARK: Statements

  private func emit(_ event: Event, _ points: Points) -> Points {
    steps += points.count
    if steps > mostSteps { isIncomplete = true }
    if isIncomplete { return [] }
    var result = Points(minimumCapacity: points.count)
    for point in points {
      guard let state = transition(event, point.state) else { continue }
      result.insert(Point(state: state, facts: point.facts))
    }
    return result
  }

  private func block(_ items: ArraySlice<CodeBlockItemSyntax>, _ points: Points) -> Points {
    var points = points
    for index in items.indices {
      if points.count > limit { isIncomplete = true }
      if points.isEmpty || isIncomplete { return [] }
      if let deferred = items[index].item.as(DeferStmtSyntax.self) {
        return self.deferred(deferred, points, items[(index + 1)...])
      }
      points = item(items[index].item, points)
    }
    return points
  }

  /// Runs the rest of a block, and then the body of a `defer` on each way out of it.
  private func deferred(
    _ node: DeferStmtSyntax, _ points: Points, _ rest: ArraySlice<CodeBlockItemSyntax>
  ) -> Points {
    let outer = sinks
    sinks = Sinks()
    let normal = block(rest, points)
    let inner = sinks
    func leave(_ points: Points) -> Points {
      sinks = Sinks()
      return block(Array(node.body.statements)[...], points)
    }
    var merged = outer
    for (node, points) in inner.returns { merged.returns[node, default: []].formUnion(leave(points)) }
    for (node, points) in inner.throwing { merged.throwing[node, default: []].formUnion(leave(points)) }
    for (label, points) in inner.breaks { merged.breaks[label, default: []].formUnion(leave(points)) }
    for (label, points) in inner.continues { merged.continues[label, default: []].formUnion(leave(points)) }
    let result = leave(normal)
    sinks = merged
    return result
  }

  private func item(_ item: CodeBlockItemSyntax.Item, _ points: Points) -> Points {
    switch item {
    case .decl(let node): declaration(node, points)
    case .stmt(let node): statement(node, points, label: nil)
    case .expr(let node): expression(node, points)
    }
  }

  private func declaration(_ node: DeclSyntax, _ points: Points) -> Points {
    var points = points
    if let variable = node.as(VariableDeclSyntax.self) {
      for binding in variable.bindings {
        let value = binding.initializer?.value
        if let value, value.as(ClosureExprSyntax.self) == nil { points = expression(value, points) }
        points = emit(.bind(boundNames(binding.pattern), value), points)
      }
    } else if let conditional = node.as(IfConfigDeclSyntax.self) {
      // Any clause can be compiled.
      var result = Points()
      for clause in conditional.clauses {
        if case .statements(let statements) = clause.elements {
          result.formUnion(block(Array(statements)[...], points))
        }
      }
      if !conditional.clauses.contains(where: { $0.condition == nil }) { result.formUnion(points) }
      return result
    }
    return points
  }

  private func statement(_ node: StmtSyntax, _ points: Points, label: String?) -> Points {
    switch node.kind {
    case .labeledStmt:
      let labeled = node.cast(LabeledStmtSyntax.self)
      return statement(labeled.statement, points, label: labeled.label.text)
    case .expressionStmt:
      return expression(node.cast(ExpressionStmtSyntax.self).expression, points, label: label)
    case .returnStmt:
      var points = points
      if let value = node.cast(ReturnStmtSyntax.self).expression { points = expression(value, points) }
      sinks.returns[Syntax(node), default: []].formUnion(points)
      return []
    case .throwStmt:
      let thrown = expression(node.cast(ThrowStmtSyntax.self).expression, points)
      sinks.throwing[Syntax(node), default: []].formUnion(thrown)
      return []
    case .breakStmt:
      sinks.breaks[node.cast(BreakStmtSyntax.self).label?.text ?? "", default: []].formUnion(points)
      return []
    case .continueStmt:
      sinks.continues[node.cast(ContinueStmtSyntax.self).label?.text ?? "", default: []].formUnion(points)
      return []
    case .guardStmt:
      let guarded = node.cast(GuardStmtSyntax.self)
      let (passed, failed) = conditions(guarded.conditions, points)
      // The body of a guard never falls through.
      _ = block(Array(guarded.body.statements)[...], failed)
      return passed
    case .whileStmt:
      let loop = node.cast(WhileStmtSyntax.self)
      return self.loop(loop.body, points, label) {
        let (passed, failed) = self.conditions(loop.conditions, $0)
        return (passed, failed)
      }
    case .repeatStmt:
      let loop = node.cast(RepeatStmtSyntax.self)
      let first = self.loop(loop.body, points, label, isOnce: true) { ($0, []) }
      let condition = self.condition
      self.condition = Syntax(loop)
      defer { self.condition = condition }
      return expression(loop.condition, first)
    case .forStmt:
      let loop = node.cast(ForStmtSyntax.self)
      let points = expression(loop.sequence, points)
      return self.loop(loop.body, points, label) { points in
        let next = loop.awaitKeyword == nil ? points : self.emit(.await(Syntax(loop)), points)
        if loop.tryKeyword != nil { self.sinks.throwing[Syntax(loop), default: []].formUnion(next) }
        var enter = self.emit(.bind(boundNames(loop.pattern), nil), next)
        if let filter = loop.whereClause { enter = self.expression(filter.condition, enter) }
        return (enter, next)
      }
    case .doStmt: return self.do(node.cast(DoStmtSyntax.self), points, label)
    default: return node.children(viewMode: .sourceAccurate).reduce(points) { child($1, $0) }
    }
  }

  private func `do`(_ node: DoStmtSyntax, _ points: Points, _ label: String?) -> Points {
    let outer = sinks.throwing
    sinks.throwing = [:]
    var result = block(Array(node.body.statements)[...], points)
    let thrown = sinks.throwing
    sinks.throwing = outer
    if node.catchClauses.isEmpty {
      sinks.throwing.merge(thrown) { $0.union($1) }
    } else if !thrown.isEmpty {
      for clause in node.catchClauses {
        result.formUnion(block(Array(clause.body.statements)[...], all(thrown)))
      }
      let catchesAll = node.catchClauses.contains {
        $0.catchItems.isEmpty
          || $0.catchItems.contains { item in
            item.whereClause == nil
              && item.pattern?.as(ValueBindingPatternSyntax.self)?.pattern.kind == .identifierPattern
          }
      }
      if !catchesAll { sinks.throwing.merge(thrown) { $0.union($1) } }
    }
    if let label { result.formUnion(sinks.breaks.removeValue(forKey: label) ?? []) }
    return result
  }

  private func loop(
    _ body: CodeBlockSyntax, _ points: Points, _ label: String?, isOnce: Bool = false,
    _ head: (Points) -> (enter: Points, leave: Points)
  ) -> Points {
    let breaks = sinks.breaks, continues = sinks.continues
    (sinks.breaks, sinks.continues) = ([:], [:])
    var seen = points, next = points, left = Points(), rounds = 0
    while !next.isEmpty, rounds < 8 {
      rounds += 1
      let (enter, leave) = head(next)
      left.formUnion(leave)
      var ends = block(Array(body.statements)[...], enter)
      ends.formUnion(sinks.continues.removeValue(forKey: "") ?? [])
      if let label { ends.formUnion(sinks.continues.removeValue(forKey: label) ?? []) }
      // A body can ask a condition again with another outcome.
      ends = Set(ends.map { Point(state: $0.state) })
      if isOnce { left.formUnion(ends) }
      next = ends.subtracting(seen)
      seen.formUnion(next)
      if seen.count > limit {
        isIncomplete = true
        break
      }
    }
    left.formUnion(sinks.breaks.removeValue(forKey: "") ?? [])
    if let label { left.formUnion(sinks.breaks.removeValue(forKey: label) ?? []) }
    sinks.breaks.merge(breaks) { $0.union($1) }
    sinks.continues.merge(continues) { $0.union($1) }
    return left
  }

  // MARK: Conditions

  /// The points at which all conditions hold, and those at which one fails.
  private func conditions(
    _ list: ConditionElementListSyntax, _ points: Points
  ) -> (passed: Points, failed: Points) {
    var passed = points, failed = Points()
    for element in list {
      let outer = condition
      if outer == nil || entered.isEmpty { condition = Syntax(element) }
      var names: [String] = [], value: ExprSyntax?, isShorthand = false
      switch element.condition {
      case .expression(let node): passed = expression(node, passed)
      case .optionalBinding(let node):
        names = boundNames(node.pattern)
        value = node.initializer?.value
        isShorthand = value == nil
        if let written = node.initializer?.value {
          passed = expression(written, passed)
        } else if let name = names.first, name != "self" {
          let isLocal = localDeclaration(of: name, at: element.conditionList ?? Syntax(element)) != nil
          passed = emit(
            .read(Path(isMember: !isLocal, names: [name]), Syntax(node), condition: condition),
            passed)
        }
      case .matchingPattern(let node):
        names = boundNames(node.pattern)
        value = node.initializer.value
        passed = expression(node.initializer.value, passed)
      case .availability: break
      }
      condition = outer
      let fact = correlated.isEmpty ? nil : fact(of: element)
      failed.formUnion(emit(.assume(Syntax(element), outcome: 0, of: 2), assume(fact, false, passed)))
      passed = emit(.assume(Syntax(element), outcome: 1, of: 2), assume(fact, true, passed))
      if case .expression(let node) = element.condition,
        node.as(BooleanLiteralExprSyntax.self)?.literal.text == "true"
      {
        failed = []
      }
      if !names.isEmpty, !isShorthand { passed = emit(.bind(names, value), passed) }
    }
    return (passed, failed)
  }

  private func assume(_ fact: (key: String, value: Bool)?, _ outcome: Bool, _ points: Points) -> Points {
    guard let fact, correlated.contains(fact.key) else { return points }
    let value = fact.value == outcome
    var result = Points()
    for var point in points {
      if let known = point.facts[fact.key], known != value { continue }
      point.facts[fact.key] = value
      result.insert(point)
    }
    return result
  }

  // MARK: Expressions

  private func expression(_ node: ExprSyntax, _ points: Points, label: String? = nil) -> Points {
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

  private func child(_ node: Syntax, _ points: Points) -> Points {
    if node.kind == .token { return points }
    if let node = node.as(ExprSyntax.self) { return expression(node, points) }
    if node.kind == .functionDecl { return points }
    if let block = node.as(CodeBlockSyntax.self) { return self.block(Array(block.statements)[...], points) }
    return node.children(viewMode: .sourceAccurate).reduce(points) { child($1, $0) }
  }

  private func `switch`(_ node: SwitchExprSyntax, _ points: Points, _ label: String?) -> Points {
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
  private func sequence(_ elements: ArraySlice<ExprSyntax>, _ points: Points) -> Points {
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

  private func write(
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

  private func forget(_ path: Path, _ points: Points) -> Points {
    guard !correlated.isEmpty else { return points }
    return Set(
      points.map { point in
        var point = point
        for key in point.facts.keys where key.contains(path.last) { point.facts[key] = nil }
        return point
      })
  }

  /// Evaluates what stands in brackets within a path.
  private func subscripts(of node: ExprSyntax, _ points: Points) -> Points {
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

  private func reference(_ node: ExprSyntax, _ points: Points) -> Points {
    guard let path = Path(node) else {
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

  private func getter(_ accessors: AccessorBlockSyntax) -> CodeBlockItemListSyntax? {
    switch accessors.accessors {
    case .getter(let statements): statements
    case .accessors(let list): list.first { $0.accessorSpecifier.text == "get" }?.body?.statements
    }
  }

  private func localClosure(_ name: String, _ node: ExprSyntax) -> ClosureExprSyntax? {
    localDeclaration(of: name, at: node)?.as(PatternBindingSyntax.self)?.initializer?.value.as(
      ClosureExprSyntax.self)
  }

  // MARK: Calls

  private func call(_ node: FunctionCallExprSyntax, _ points: Points) -> Points {
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
  private func isValue(_ path: Path, _ node: some SyntaxProtocol) -> Bool {
    guard path.isMember, let property = project.property(path.first, of: project.type(around: node)) else {
      return true
    }
    return isValueType(property, project)
  }

  /// Whether the call itself is awaited, and so belongs to another object.
  private func isAwaited(_ node: FunctionCallExprSyntax) -> Bool {
    var parent = node.parent
    while let current = parent, current.is(OptionalChainingExprSyntax.self) || current.is(TryExprSyntax.self)
    { parent = current.parent }
    return parent?.is(AwaitExprSyntax.self) == true
  }

  /// Runs a closure in place. What it returns or throws ends the closure.
  private func run(
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
  private func body(of call: FunctionCallExprSyntax) -> CodeBlockSyntax? {
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

  private func enter(_ statements: CodeBlockItemListSyntax?, _ body: Syntax, _ points: Points) -> Points {
    guard let statements, entered.count < 3, !entered.contains(body.id), !points.isEmpty else {
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

  private func all(_ points: [Syntax: Points]) -> Points {
    points.values.reduce(into: []) { $0.formUnion($1) }
  }
}

/// Whether a property holds a value, as far as its type shows. An unknown type with the name of a
/// service is taken for a class.
func isValueType(_ property: Property, _ project: Project) -> Bool {
  if !property.attributes.isDisjoint(with: [
    "Environment", "EnvironmentObject", "StateObject", "ObservedObject", "Bindable", "Dependency", "Injected",
    "Inject",
  ]) {
    return false
  }
  let type = property.plainType
  if let known = project.types[type.split(separator: "<").first.map(String.init) ?? type],
    known.kind != .unknown
  {
    return known.kind == .struct || known.kind == .enum
  }
  return ![
    "Store", "Center", "Service", "Manager", "Source", "Client", "Model", "Controller", "Repository",
    "Provider", "Router", "Coordinator", "Database", "API", "View", "Label", "Button", "Presenter",
    "Defaults", "Loader", "Queue", "Stack",
  ]
  .contains { type.hasSuffix($0) }
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

extension ConditionElementSyntax {
  fileprivate var conditionList: Syntax? { parent?.as(ConditionElementListSyntax.self).map { Syntax($0) } }
}

/// A condition in a form that two spellings of it share, and the value of the form if the condition
/// holds.
private func fact(of element: ConditionElementSyntax) -> (key: String, value: Bool)? {
  switch element.condition {
  case .optionalBinding(let node): return ((node.initializer?.value.code ?? node.pattern.code) + "?", true)
  case .expression(var node):
    var value = true
    while let negated = node.as(PrefixOperatorExprSyntax.self), negated.operator.text == "!" {
      node = negated.expression
      value.toggle()
    }
    let code = node.code
    if node.kind == .declReferenceExpr || node.kind == .memberAccessExpr { return (code, value) }
    if code.hasSuffix("== nil") { return (code.dropLast(6).filter { !$0.isWhitespace } + "?", !value) }
    if code.hasSuffix("!= nil") { return (code.dropLast(6).filter { !$0.isWhitespace } + "?", value) }
    if node.kind == .sequenceExpr, !awaits(in: Syntax(node)),
      node.descendants(FunctionCallExprSyntax.self).isEmpty
    {
      return (code, value)
    }
    return nil
  default: return nil
  }
}

private func repeatedConditions(in statements: CodeBlockItemListSyntax) -> Set<String> {
  var counts: [String: Int] = [:]
  for element in statements.descendants(ConditionElementSyntax.self) {
    if let fact = fact(of: element) { counts[fact.key, default: 0] += 1 }
  }
  return Set(counts.filter { $0.value > 1 }.keys)
}
