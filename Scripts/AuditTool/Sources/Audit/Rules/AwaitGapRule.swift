import SwiftSyntax

/// A property that is read before an `await` and written after it, while other calls may have
/// changed it.
struct AwaitGapRule: Rule {
  let kind = "check-before-await"
  let severities: [Severity] = [.hazard, .note]
  let consequence =
    "A second tap during the wait passes the same check, so work is done twice or a change is lost."
  let why = """
    An actor and the main actor run other calls while a function waits. What the function read before the await can be out of date \
    when it writes.
    """
  let example = """
    func load(_ id: Int) async throws {
      guard profile == nil else { return }
      profile = try await service.profile(id)
    }
    """
  let repair = "`SingleFlight`, or `TaskSlot` with the policy `join`"
  let repaired = """
    func load(_ id: Int) async throws {
      profile = try await flight.value(for: id) { [service] in try await service.profile(id) }
    }
    """
  let section = "Reentrancy"

  /// What a path has done with the properties of the type.
  struct State: Hashable {
    /// The reads in conditions, by property.
    var checks: [String: Check] = [:]
    /// The local names whose values come from a property, read before or after the last await.
    var locals: [String: [String: Read]] = [:]
    /// The reads whose values have been given to an awaited call.
    var given: [String: Read] = [:]
    /// The reads since the last await, which the current statement can give to an awaited call.
    var recent: [String: Read] = [:]
    /// Properties that were read in a condition and then written before an await: they keep other
    /// calls out.
    var isClaimed = false
    /// Counters that were changed before an await, such as a generation.
    var written: Set<String> = []
    var lastAwait: Syntax?
    /// The outcomes of the conditions on the path, also of those whose reads are replaced.
    var passed: [Syntax: Int] = [:]
  }

  struct Check: Hashable {
    var node: Syntax
    var condition: Syntax
    var outcome: Int?
    var count = 2
    var awaited: Syntax?
  }

  struct Read: Hashable {
    var node: Syntax
    var awaited: Syntax?
  }

  struct Gap: Hashable {
    var property: String
    var read: Syntax
    var awaited: Syntax
    var write: Syntax
  }

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    var reported: Set<String> = []
    for body in file.bodies where isEntry(body) {
      guard let type = project.type(around: body.node), type.isReference || project.isView(type) else {
        continue
      }
      // One finding for what one wait makes doubtful.
      var waits: [Syntax: [Gap]] = [:]
      for gap in gaps(body, type, project) where reported.insert("\(gap.property) \(gap.write.id)").inserted {
        waits[gap.awaited, default: []].append(gap)
      }
      for gaps in waits.values.sorted(by: { precedes($0[0], $1[0]) }) {
        let gap = gaps[0]
        let names = Set(gaps.map(\.property)).sorted().map { "`\($0)`" }
        let subject =
          names.count == 1
          ? "\(names[0]) is"
          : names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and others are" : " are")
        findings.append(
          finding(
            "\(subject) read before the await and written after it; another call may have changed \(names.count == 1 ? "it" : "them") meanwhile",
            at: file.place(gap.write, "written here"),
            [file.place(gap.read, "read here"), file.place(gap.awaited, "other calls run here")],
            // A view's task runs once for each appearance.
            severity: project.isView(type) ? .note : .hazard))
      }
    }
    return findings
  }

  /// A function, or a task's closure: what runs as one.
  private func isEntry(_ body: Body) -> Bool {
    if let closure = body.closure, closure.use != .later { return false }
    // A task in the closure of a button or of a callback is entered from there.
    return body.isAsync || !body.statements.descendants(AwaitExprSyntax.self).isEmpty
  }

  private func precedes(_ left: Gap, _ right: Gap) -> Bool {
    (left.write.position, left.awaited.position, left.read.position, left.property)
      < (right.write.position, right.awaited.position, right.read.position, right.property)
  }

  private func gaps(_ body: Body, _ type: TypeInfo, _ project: Project) -> [Gap] {
    /// The outcomes of each condition that reach the write. A write after a plain read has no
    /// condition.
    var found: [Gap: [Syntax?: Set<Int>]] = [:]
    var outcomes: [Syntax: Int] = [:]
    /// The outcomes of the conditions on all paths to a write, also on those without a gap.
    var reached: [Syntax: [Syntax: Set<Int>]] = [:]
    var knownPaths: [SyntaxIdentifier: [Path]] = [:]
    /// The local names in an expression, which each state asks for.
    func localPaths(in value: ExprSyntax) -> [Path] {
      if let known = knownPaths[value.id] { return known }
      let paths = value.descendantsAndSelf(DeclReferenceExprSyntax.self)
        .compactMap { Path(ExprSyntax($0)) }.filter { !$0.isMember }
      knownPaths[value.id] = paths
      return paths
    }
    /// Whether a change of one path can change the other.
    func isRelated(_ key: String, _ path: Path) -> Bool {
      let other = path.text
      return key == other || key.hasPrefix(other + ".") || other.hasPrefix(key + ".")
    }
    /// The checked, given or local paths that a path is about.
    func isTracked(_ path: Path) -> Property? {
      guard path.isMember, let property = project.property(path.first, of: type), !property.isLet,
        property.isStored,
        !property.isStatic || property.modifiers.contains("var")
      else { return nil }
      if property.isLock || property.isQueue || property.isWeak { return nil }
      // What is read from an object is not what is assigned to the property.
      return isValueType(property, project) || path.names.count > 1
        ? property : property.isOptional || property.isTask ? property : nil
    }
    var claims: [SyntaxIdentifier: String?] = [:]
    /// The property that a new task claims until it has ended.
    func claim(of call: FunctionCallExprSyntax) -> String? {
      if let known = claims[call.id] { return known }
      let name = claimedProperty(call, type, project)
      claims[call.id] = .some(name)
      return name
    }
    let flow = Flow<State>(project, options: .init(entersTasks: true)) { event, state in
      var state = state
      switch event {
      case .read(let path, let node, let condition):
        if !path.isMember {
          // A local name brings what it was made of.
          for (name, read) in state.locals[path.first, default: [:]] {
            state.recent[name] = state.recent[name] ?? read
          }
          if let condition {
            for (name, read) in state.locals[path.first, default: [:]] {
              // A local copy in a condition after the await is compared with the property.
              if state.lastAwait == nil || read.awaited == nil {
                state.checks[name] =
                  state.checks[name] ?? Check(node: read.node, condition: condition, awaited: read.awaited)
              }
            }
          }
          return state
        }
        guard isTracked(path) != nil, !isIdentity(path) else { return state }
        let name = path.text
        if let condition {
          if state.lastAwait != nil {
            // A check after the await makes the answer current.
            let isToken =
              state.written.contains { isRelated($0, path) }
              || state.recent.keys.contains { isRelated($0, path) }
              || state.locals.values.contains { $0.keys.contains { isRelated($0, path) } }
            if state.checks.contains(where: { $0.value.awaited != nil && isRelated($0.key, path) }) || isToken
              || state.given.keys.contains(where: { isRelated($0, path) })
            {
              return State(isClaimed: state.isClaimed, lastAwait: nil, passed: state.passed)
            }
          }
          state.checks[name] = Check(node: node, condition: condition)
          // `if let token` reads the property and binds a local of its name.
          if node.is(OptionalBindingConditionSyntax.self) { state.locals[name] = [name: Read(node: node)] }
        }
        state.recent[name] = Read(node: node)
      case .bind(let names, let value):
        var sources: [String: Read] = [:]
        if let value {
          for path in localPaths(in: value) {
            sources.merge(state.locals[path.first, default: [:]]) { first, _ in first }
          }
          for reference in memberReads(value) {
            if let path = Path(reference), isTracked(path) != nil,
              !isIdentity(Path(outermost(reference)) ?? path)
            {
              let isAwaited = awaits(in: Syntax(value))
              sources[(Path(outermost(reference)) ?? path).text] = Read(
                node: Syntax(reference), awaited: isAwaited ? state.lastAwait : nil)
            }
          }
        }
        for name in names { state.locals[name] = sources.isEmpty ? nil : sources }
        state.recent = [:]
      case .await(let node):
        for name in state.checks.keys where state.checks[name]?.awaited == nil {
          state.checks[name]?.awaited = node
        }
        for local in state.locals.keys {
          for name in state.locals[local, default: [:]].keys where state.locals[local]?[name]?.awaited == nil
          {
            state.locals[local]?[name]?.awaited = node
          }
        }
        for (name, read) in state.recent {
          state.given[name] = Read(node: read.node, awaited: read.awaited ?? node)
        }
        state.lastAwait = node
      case .assume(let node, let outcome, let count):
        if state.lastAwait != nil, asksForCancellation(node) { return State(isClaimed: true) }
        for name in state.checks.keys
        where state.checks[name]?.condition == node && state.checks[name]?.outcome == nil {
          state.checks[name]?.outcome = outcome
          state.checks[name]?.count = count
          outcomes[node] = count
          state.passed[node] = outcome
        }
        state.recent = [:]
      case .write(let path, let node, let value, let isCompound):
        guard isTracked(path) != nil else {
          if !path.isMember, path.names.count == 1, let value {
            var sources: [String: Read] = [:]
            for path in localPaths(in: value) {
              sources.merge(state.locals[path.first, default: [:]]) { first, _ in first }
            }
            state.locals[path.first] = sources.isEmpty ? nil : sources
          }
          return state
        }
        let name = path.first
        for (condition, outcome) in state.passed {
          reached[node, default: [:]][condition, default: []].insert(outcome)
        }
        for (key, check) in state.checks.sorted(by: { $0.key < $1.key }) where isRelated(key, path) {
          if let awaited = check.awaited, !state.isClaimed {
            let gap = Gap(property: name, read: check.node, awaited: awaited, write: node)
            let condition = check.outcome == nil ? nil : check.condition
            found[gap, default: [:]][condition, default: []].insert(check.outcome ?? 0)
            outcomes[check.condition] = check.count
          } else if check.awaited == nil {
            state.isClaimed = true
          }
          state.checks[key] = nil
        }
        func read(_ sources: [String: Read]?) -> Read? {
          sources?.filter { isRelated($0.key, path) }.min { $0.key < $1.key }?.value
        }
        if let value {
          var reads: [Read] = []
          for path in localPaths(in: value) {
            if let read = read(state.locals[path.first]) { reads.append(read) }
          }
          // `page += 1` after `fetch(page + 1)` takes for granted that `page` is the same.
          if isCompound || awaits(in: Syntax(value)), let read = read(state.given) { reads.append(read) }
          for read in reads where !state.isClaimed {
            if let awaited = read.awaited {
              let gap = Gap(property: name, read: read.node, awaited: awaited, write: node)
              found[gap, default: [:]][nil] = []
            }
          }
        } else if isCompound, let call = node.as(FunctionCallExprSyntax.self), !state.isClaimed {
          for argument in call.arguments {
            for reference in argument.expression.descendantsAndSelf(DeclReferenceExprSyntax.self) {
              if let path = Path(ExprSyntax(reference)), !path.isMember,
                let read = read(state.locals[path.first]),
                let awaited = read.awaited
              {
                let gap = Gap(property: name, read: read.node, awaited: awaited, write: node)
                found[gap, default: [:]][nil] = []
              }
            }
          }
        }
        // What was read before is replaced.
        for local in state.locals.keys {
          state.locals[local] = state.locals[local]?.filter { !isRelated($0.key, path) }
        }
        state.given = state.given.filter { !isRelated($0.key, path) }
        state.recent = [:]
        if state.lastAwait == nil { state.written.insert(path.text) }
      case .call(let call):
        // The result of a cancellation check says whether a newer call has begun.
        if ["checkCancellation"].contains(call.name) { return State(isClaimed: true) }
      case .begin(let call):
        // `job = Task { … }` sets the property before the task runs.
        guard let name = claim(of: call) else { return state }
        for (key, check) in state.checks
        where check.awaited == nil && isRelated(key, Path(isMember: true, names: [name])) {
          state.isClaimed = true
          state.checks[key] = nil
        }
      case .closure, .end: break
      }
      return state
    }
    let exits = flow.run(body.statements, from: State())
    if exits.isIncomplete { return [] }
    return found.filter { gap, conditions in
      // If all outcomes of a condition reach the write, the write does not depend on it.
      conditions.contains { condition, seen in
        guard let condition, let count = outcomes[condition] else { return true }
        return seen.union(reached[gap.write]?[condition] ?? []).count < count
      }
    }.map(\.key).sorted(by: precedes)
  }

  /// Whether a path ends with what says which thing is meant, and does not change: `user.id`.
  private func isIdentity(_ path: Path) -> Bool {
    path.names.count > 1
      && ["id", "uuid", "url", "identifier"].contains { path.last.lowercased().hasSuffix($0) }
  }

  /// The reads of members in an expression, apart from closures that run later.
  private func memberReads(_ value: ExprSyntax) -> [ExprSyntax] {
    value.descendantsAndSelf(DeclReferenceExprSyntax.self).compactMap { reference in
      if reference.namesFunction { return nil }
      if let member = reference.parent?.as(MemberAccessExprSyntax.self), member.declName.id == reference.id {
        // The name after `self.`
        guard let base = member.base?.as(DeclReferenceExprSyntax.self), isSelf(base.baseName.text, at: base)
        else { return nil }
        return ExprSyntax(member)
      }
      if reference.baseName.text == "self" { return nil }
      return ExprSyntax(reference)
    }
  }
}

/// The whole path of which an expression is the beginning: `user.id` for `user`.
private func outermost(_ node: ExprSyntax) -> ExprSyntax {
  var node = node
  while let parent = node.parent?.as(MemberAccessExprSyntax.self), parent.base?.id == node.id,
    parent.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id != ExprSyntax(parent).id
  {
    node = ExprSyntax(parent)
  }
  return node
}

extension SyntaxProtocol {
  func descendantsAndSelf<Node: SyntaxProtocol>(_ type: Node.Type) -> [Node] {
    (self.as(type).map { [$0] } ?? []) + descendants(type)
  }
}
