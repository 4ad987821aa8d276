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
    /// Enters the method around the body, too, if the body calls it again.
    public var entersItself = true
    public init(followsCalls: Bool = true, entersTasks: Bool = false, entersItself: Bool = true) {
      self.followsCalls = followsCalls
      self.entersTasks = entersTasks
      self.entersItself = entersItself
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

  struct Point: Hashable {
    var state: State
    /// The outcomes of conditions that the body asks several times.
    var facts: [String: Bool] = [:]
  }
  typealias Points = Set<Point>
  struct Sinks {
    /// The points that leave the body, by the node at which they leave.
    var returns: [Syntax: Points] = [:]
    var throwing: [Syntax: Points] = [:]
    var breaks: [String: Points] = [:]
    var continues: [String: Points] = [:]
  }

  let project: Project
  let options: Options
  let transition: (Event, State) -> State?
  var sinks = Sinks()
  var condition: Syntax?
  var correlated: Set<String> = []
  var entered: [SyntaxIdentifier] = []
  /// The bodies that the flow does not enter.
  var own: Set<SyntaxIdentifier> = []
  var isIncomplete = false
  let limit = 150
  /// How many states have met an event. A body with very many is not followed to its end.
  var steps = 0
  let mostSteps = 20_000

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
    own = options.entersItself ? [] : methodBodies(around: statements)
    sinks = Sinks()
    isIncomplete = false
    steps = 0
    let normal = block(Array(statements)[...], [Point(state: state)])
    var exits = Exits(normal: Set(normal.map(\.state)), isIncomplete: isIncomplete)
    exits.returns = ends(sinks.returns)
    exits.throwing = ends(sinks.throwing)
    return exits
  }

  /// A local function that calls itself goes on with the same call, and is entered.
  private func methodBodies(around node: some SyntaxProtocol) -> Set<SyntaxIdentifier> {
    Set(node.ancestors.filter { $0.parent?.parent?.is(MemberBlockItemSyntax.self) == true }.map(\.id))
  }

  func ends(_ points: [Syntax: Points]) -> [End] {
    points.sorted { $0.key.position < $1.key.position }.flatMap { node, points in
      Set(points.map(\.state)).map { End(state: $0, node: node) }
    }
  }

  // MARK: Statements

  func emit(_ event: Event, _ points: Points) -> Points {
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

  func block(_ items: ArraySlice<CodeBlockItemSyntax>, _ points: Points) -> Points {
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
  func deferred(
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

  func item(_ item: CodeBlockItemSyntax.Item, _ points: Points) -> Points {
    switch item {
    case .decl(let node): declaration(node, points)
    case .stmt(let node): statement(node, points, label: nil)
    case .expr(let node): expression(node, points)
    }
  }

  func declaration(_ node: DeclSyntax, _ points: Points) -> Points {
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

  func statement(_ node: StmtSyntax, _ points: Points, label: String?) -> Points {
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

  func `do`(_ node: DoStmtSyntax, _ points: Points, _ label: String?) -> Points {
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

  func loop(
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
  func conditions(
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
      let fact = correlated.isEmpty ? nil : fact(of: element), outerFailed = failed
      failed.formUnion(emit(.assume(Syntax(element), outcome: 0, of: 2), assume(fact, false, passed)))
      passed = emit(.assume(Syntax(element), outcome: 1, of: 2), assume(fact, true, passed))
      if case .expression(let node) = element.condition,
        node.as(BooleanLiteralExprSyntax.self)?.literal.text == "true"
      {
        failed = []
      }
      if project.keepsOwner(at: element) { failed = outerFailed }
      if !names.isEmpty, !isShorthand { passed = emit(.bind(names, value), passed) }
    }
    return (passed, failed)
  }

  func assume(_ fact: (key: String, value: Bool)?, _ outcome: Bool, _ points: Points) -> Points {
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
}

extension ConditionElementSyntax {
  fileprivate var conditionList: Syntax? { parent?.as(ConditionElementListSyntax.self).map { Syntax($0) } }
}
