import SwiftSyntax

private let busyWords: Set = [
  "loading", "busy", "fetching", "refreshing", "checking", "spinner", "progress", "saving", "sending",
  "searching", "submitting", "working", "processing", "updating", "syncing", "uploading", "downloading",
  "executing", "inflight",
]
private let failureWords: Set = ["error", "failure", "problem", "failed", "fault", "errors"]
private let situationWords: Set = [
  "playing", "paused", "buffering", "loading", "idle", "stopped", "finished", "failed", "connecting",
  "connected", "disconnected", "recording", "empty", "error", "success", "succeeded", "loaded", "offline",
  "refreshing", "completed", "waiting", "failure", "ready",
]

/// A view model with several properties that say contrary things.
struct ContradictoryStateRule: Rule {
  let kind = "contradictory-state"
  let severity = Severity.note
  let severities: [Severity] = [.note, .hazard]
  let consequence = "A person sees a spinner that never ends, or the old error above new content."
  let why =
    "Several properties describe one situation. Each path has to set all of them, and one path forgets one."
  let example = """
    final class CityViewModel {
      var isLoading = false
      var cities: [City] = []
      func load() {
        isLoading = true
        service.cities { result in
          if case .success(let cities) = result { self.cities = cities; self.isLoading = false }
        }
      }
    }
    """
  let repair = "`Loadable` in one `StateStore`, or an enum of the situations"
  let repaired = """
    func load() async {
      await slot.load(into: store) { [service] in try await service.cities() }
    }
    """
  let section = "State in several properties"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    let declarations =
      file.all(ClassDeclSyntax.self) + file.all(ActorDeclSyntax.self) as [any DeclGroupSyntax]
    for declaration in declarations {
      guard let type = project.info(of: declaration), type.declaration?.id == declaration.id,
        isModel(type, project)
      else { continue }
      let stored = type.properties.values.filter {
        $0.isStored && !$0.isLet && !$0.isStatic && !$0.isClosure && !$0.isTask && !$0.isWeak
      }
      .sorted { ($0.declaration.position, $0.name) < ($1.declaration.position, $1.name) }
      let busy = stored.filter { isBusy($0) }, failures = stored.filter { isFailure($0) }
      let proven =
        busy.flatMap { unfinished($0.name, type, file, project) }
        + failures.flatMap { stale($0, busy, type, file, project) }
      if !proven.isEmpty {
        findings += proven.prefix(1)
        continue
      }
      let flags = largestSituation(stored.filter { isFlag($0) })
      let pair = busy.lazy.compactMap { busy in
        failures.first { describeOneSituation(busy, $0) }.map { (busy, $0) }
      }.first
      if let (busyFlag, failure) = pair, stored.count > busy.count + failures.count {
        let names = [busyFlag, failure].map { "`\($0.name)`" }.joined(separator: " and ")
        findings.append(
          finding(
            "\(names) are set one by one, so they can contradict each other",
            at: file.place(busyFlag.declaration, "declared here"),
            (failures + flags).filter { $0.name != busyFlag.name && describeOneSituation(busyFlag, $0) }.map {
              file.place($0.declaration, "declared here")
            }))
      } else if flags.count > 2 {
        findings.append(
          finding(
            "\(flags.map { "`\($0.name)`" }.joined(separator: ", ")) describe one situation and can contradict each other",
            at: file.place(flags[0].declaration, "declared here"),
            flags.dropFirst().map { file.place($0.declaration, "declared here") }))
      }
    }
    return findings
  }

  private func isModel(_ type: TypeInfo, _ project: Project) -> Bool {
    guard !project.isView(type), !project.isViewController(type) else { return false }
    return project.isViewModel(type) || type.name.hasSuffix("Model") && type.isReference
  }

  private func has(_ property: Property, _ candidates: Set<String>) -> Bool {
    words(of: property.name).contains { candidates.contains($0) }
  }

  private func isBool(_ property: Property) -> Bool { property.plainType == "Bool" }

  /// A flag that says that work goes on.
  private func isBusy(_ property: Property) -> Bool {
    isBool(property) && !has(property, ["more", "can", "should", "has", "did", "next"])
      && has(property, busyWords)
  }

  private func isFailure(_ property: Property) -> Bool {
    (property.isOptional || isBool(property))
      && has(property, failureWords)
  }

  // MARK: One situation

  /// The words of a name that say what is loading, playing or failed. Without them, the whole model is.
  private func subject(of property: Property) -> Set<String> {
    Set(words(of: property.name)).subtracting(situationWords).subtracting(busyWords).subtracting(failureWords)
      .subtracting([
        "is", "are", "was", "shows", "show", "state", "message", "text", "last", "in", "alert", "view",
      ])
  }

  /// Whether two properties can contradict each other: `isLoading` and `imageError` can,
  /// `isLoadingTranslation` and `imageError` cannot.
  private func describeOneSituation(_ left: Property, _ right: Property) -> Bool {
    let left = subject(of: left), right = subject(of: right)
    return left.isEmpty || right.isEmpty || !left.isDisjoint(with: right)
  }

  /// The largest group of flags about one subject.
  private func largestSituation(_ flags: [Property]) -> [Property] {
    var largest: [Property] = []
    for flag in flags {
      let group = flags.filter { subject(of: $0) == subject(of: flag) }
      if group.count > largest.count { largest = group }
    }
    return largest
  }

  /// A flag, or an optional failure, that names a situation which excludes the others.
  private func isFlag(_ property: Property) -> Bool {
    guard isBool(property) || isFailure(property) else { return false }
    return has(property, situationWords) && !has(property, ["has", "can", "should", "did", "next", "more"])
  }

  // MARK: Paths that prove it

  /// Functions that raise a flag of work, and have a path that does not lower it.
  private func unfinished(
    _ name: String, _ type: TypeInfo, _ file: SourceFile, _ project: Project
  ) -> [Finding] {
    var findings: [Finding] = []
    for body in file.bodies where body.closure == nil && project.type(around: body.node) === type {
      guard let raise = assignment(name, "true", in: Syntax(body.statements)) else { continue }
      let ends = ends(of: name, body.statements, isRaised: false, project)
      if body.isAsync, ends.lowered, ends.kept {
        findings.append(report(name, raise, file))
        continue
      }
      // A callback that lowers the flag on some paths.
      for closure in body.statements.descendants(ClosureExprSyntax.self) where closure.use == .later {
        guard assignment(name, "false", in: Syntax(closure.statements)) != nil,
          assignment(name, "false", in: Syntax(closure.statements), isDirect: true) != nil
        else { continue }
        let ends = self.ends(of: name, closure.statements, isRaised: true, project)
        if ends.lowered, ends.kept {
          findings.append(report(name, raise, file))
          break
        }
      }
    }
    return findings
  }

  private func report(_ name: String, _ raise: Syntax, _ file: SourceFile) -> Finding {
    finding(
      "a path leaves `\(name)` true, so the spinner never ends", at: file.place(raise, "raised here"),
      severity: .hazard)
  }

  private enum Flag: Hashable { case untouched, raised, lowered }

  /// Whether paths through a body lower a flag, and whether paths end with a raised flag.
  private func ends(
    of name: String, _ statements: CodeBlockItemListSyntax, isRaised: Bool, _ project: Project
  ) -> (lowered: Bool, kept: Bool) {
    let isDeferred = statements.contains { item in
      item.item.as(DeferStmtSyntax.self).map { assignment(name, "false", in: Syntax($0.body)) != nil } == true
    }
    if isDeferred { return (true, false) }
    let flow = Flow<Flag>(project) { event, flag in
      switch event {
      case .write(let path, _, let value, _) where path.last == name && path.names.count <= 2:
        // Another value than the literals cannot be judged.
        return value?.code == "true" ? .raised : .lowered
      // The model is gone, and its spinner with it.
      case .assume(let node, let outcome, _) where ownerIsGone(node, outcome: outcome): return nil
      // A timeout or another callback lowers the flag.
      case .closure(let closure) where flag == .raised && lowers(name, Syntax(closure), project, depth: 0):
        return .lowered
      default: return flag
      }
    }
    let exits = flow.run(statements, from: isRaised ? .raised : .untouched)
    if exits.isIncomplete { return (false, false) }
    let all = exits.normal.union((exits.returns + exits.throwing).map(\.state))
    return (all.contains(.lowered), all.contains(.raised))
  }

  /// Whether code sets a flag to `false`, or calls functions of the own type that do.
  private func lowers(_ name: String, _ node: Syntax, _ project: Project, depth: Int) -> Bool {
    if assignment(name, "false", in: node) != nil { return true }
    return depth < 3
      && node.descendants(FunctionCallExprSyntax.self).contains { call in
        guard let path = Path(call.calledExpression), path.isMember, path.names.count == 1 else {
          return false
        }
        return project.functions(path.first, of: project.type(around: call)).contains {
          lowers(name, Syntax($0), project, depth: depth + 1)
        }
      }
  }

  private func assignment(_ name: String, _ value: String, in node: Syntax, isDirect: Bool = false) -> Syntax?
  {
    let sequences =
      isDirect
      ? node.descendants(
        SequenceExprSyntax.self, entering: { $0.as(ClosureExprSyntax.self).map { $0.use != .later } ?? true })
      : node.descendants(SequenceExprSyntax.self)
    return sequences.lazy.compactMap { sequence -> Syntax? in
      let elements = Array(sequence.elements)
      guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self), elements[2].code == value,
        let path = Path(elements[0]), path.last == name
      else { return nil }
      return Syntax(sequence)
    }.first
  }

  /// A failure that is set, never cleared, and that no view can clear.
  private func stale(
    _ failure: Property, _ busy: [Property], _ type: TypeInfo, _ file: SourceFile, _ project: Project
  ) -> [Finding] {
    guard failure.isOptional,
      failure.declaration.modifiers.contains(where: {
        $0.code.hasPrefix("private") || $0.code.hasPrefix("fileprivate")
      })
    else { return [] }
    var sets: [Syntax] = [], isCleared = false
    for block in type.blocks {
      for sequence in block.descendants(SequenceExprSyntax.self) {
        let elements = Array(sequence.elements)
        guard elements.count >= 3, elements[1].is(AssignmentExprSyntax.self), let path = Path(elements[0]),
          path.isMember, path.names == [failure.name]
        else { continue }
        let value = elements[2]
        if value.is(NilLiteralExprSyntax.self) || elements.count > 3 || value.is(IfExprSyntax.self)
          || value.is(SwitchExprSyntax.self)
        {
          isCleared = true
        } else {
          sets.append(Syntax(sequence))
        }
      }
    }
    guard !isCleared, let first = sets.first, first.root.id == file.tree.root.id, !busy.isEmpty,
      first.ancestor(CatchClauseSyntax.self) != nil || first.ancestor(SwitchCaseSyntax.self) != nil
        || first.ancestor(IfExprSyntax.self) != nil
    else { return [] }
    return [
      finding(
        "`\(failure.name)` is set and never cleared, so it stays after a successful load",
        at: file.place(first, "set here"),
        [file.place(failure.declaration, "declared here")], severity: .hazard)
    ]
  }
}
