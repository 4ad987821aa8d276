import SwiftSyntax

/// A flag such as `hasLoaded` that is set before the load, and stays set if the load fails.
struct LoadedBeforeAwaitRule: Rule {
  let kind = "loaded-before-await"
  let consequence =
    "After a failed or cancelled load the screen stays empty, and appearing again does not load."
  let why = "The flag says that the load has been done, but it has only begun."
  let example = """
    func appear() async {
      guard !hasLoaded else { return }
      hasLoaded = true
      items = (try? await service.items()) ?? []
    }
    """
  let repair = "a `Loadable`, which is loaded when there is a value"
  let repaired = "func appear() async { if store.value.items.value == nil { await load() } }"
  let section = "Reentrancy"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    let functions = file.all(FunctionDeclSyntax.self).compactMap { $0.body.map { Syntax($0) } }
    // `.task { … }` and `.onAppear { … }` of a view.
    let closures = file.all(ClosureExprSyntax.self).filter {
      ["task", "onAppear"].contains($0.call?.call.name) && $0.ancestor(FunctionDeclSyntax.self) == nil
    }
    for body in functions + closures.map({ Syntax($0) }) {
      guard let type = project.type(around: body) else { continue }
      findings += insertions(in: body, type, project, file)
      let sequences = body.descendants(SequenceExprSyntax.self)
      for sequence in sequences {
        let elements = Array(sequence.elements)
        guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self), let path = Path(elements[0]),
          path.isMember, path.names.count == 1,
          isLoadedFlag(path.first, elements[2], type, project)
        else { continue }
        let name = path.first
        // Is the flag asked, and does a load follow?
        guard
          body.descendants(ConditionElementSyntax.self).contains(where: {
            $0.code.contains(name) && $0.position < sequence.position
          })
        else { continue }
        guard let load = firstLoad(after: sequence, in: body) else { continue }
        let resets = sequences.contains { other in
          let parts = Array(other.elements)
          return other.id != sequence.id && parts.count == 3 && parts[1].is(AssignmentExprSyntax.self)
            && Path(parts[0]).map { $0.isMember && $0.names == [name] } == true
            && parts[2].code != elements[2].code
        }
        if resets || isResetElsewhere(name, body, project, type) { continue }
        findings.append(
          finding(
            "`\(name)` is set before the load has succeeded, and a failure does not set it back",
            at: file.place(sequence, "set here"),
            [file.place(load, "can fail")]))
      }
    }
    return findings
  }

  private func isLoadedFlag(_ name: String, _ value: ExprSyntax, _ type: TypeInfo, _ project: Project) -> Bool
  {
    guard let property = project.property(name, of: type), !property.isLet else { return false }
    let isBool = value.code == "true" && property.plainType == "Bool"
    let isState = [".loaded", ".ready", ".finished", ".done"].contains { value.code.hasSuffix($0) }
    let isDate = ["Date()", "Date.now", ".now", "now"].contains(value.code)
    if isDate { return NameTable.loadDate.isIn(name) }
    if isState { return true }
    if value.code == "false" { return NameTable.toDo.begins(name) && NameTable.load.isIn(name) }
    return isBool && !NameTable.busy.isIn(name) && NameTable.loaded.isIn(name)
  }

  /// `loadedIds.insert(id)` before a load that can fail, if no code removes the value.
  private func insertions(
    in body: Syntax, _ type: TypeInfo, _ project: Project, _ file: SourceFile
  ) -> [Finding] {
    func calls(_ names: Set<String>, of name: String, in node: Syntax) -> [FunctionCallExprSyntax] {
      node.descendants(FunctionCallExprSyntax.self).filter {
        names.contains($0.name)
          && $0.receiver.flatMap { Path($0) } == Path(isMember: true, names: [name])
      }
    }
    return body.descendants(FunctionCallExprSyntax.self).compactMap { call in
      guard call.name == "insert", call.arguments.count == 1,
        let path = call.receiver.flatMap({ Path($0) }), path.isMember, path.names.count == 1,
        let property = project.property(path.first, of: type), property.plainType.hasPrefix("Set<"),
        NameTable.loaded.isIn(path.first) || NameTable.kept.isIn(path.first),
        calls(["contains", "insert"], of: path.first, in: body).contains(where: {
          $0.ancestor(ConditionElementSyntax.self) != nil && $0.position <= call.position
        }),
        let load = body.descendants(AwaitExprSyntax.self).first(where: {
          $0.position > call.position && canFail($0)
        }),
        type.blocks.allSatisfy({
          calls(["remove", "subtract", "formIntersection"], of: path.first, in: Syntax($0)).isEmpty
        })
      else { return nil }
      return finding(
        "`\(path.first)` has the value before the load has succeeded, and a failure does not remove it",
        at: file.place(call, "inserted here"), [file.place(load, "can fail")])
    }
  }

  /// Whether an await is one of a `try`, or gives a value that can be `nil`.
  private func canFail(_ load: AwaitExprSyntax) -> Bool {
    for node in load.ancestors {
      if node.is(TryExprSyntax.self) || node.is(OptionalBindingConditionSyntax.self) { return true }
      if node.is(CodeBlockItemSyntax.self) { return false }
    }
    return false
  }

  /// The first await or call with a closure after a node.
  private func firstLoad(after node: some SyntaxProtocol, in body: Syntax) -> Syntax? {
    let awaits = body.descendants(AwaitExprSyntax.self).filter { $0.position > node.position }.map {
      Syntax($0)
    }
    let closures = body.descendants(FunctionCallExprSyntax.self).filter { call in
      call.position > node.position
        && call.closures.contains {
          $0.closure.use == .later && !["async", "animate"].contains(call.name)
            && $0.closure.descendants(SequenceExprSyntax.self).count
              + $0.closure.descendants(SwitchExprSyntax.self).count > 0
        }
    }.map { Syntax($0) }
    return (awaits + closures).min { $0.position < $1.position }
  }

  /// Whether a function that the body calls sets the flag back.
  private func isResetElsewhere(
    _ name: String, _ body: Syntax, _ project: Project, _ type: TypeInfo
  ) -> Bool {
    body.descendants(FunctionCallExprSyntax.self).contains { call in
      guard let path = Path(call.calledExpression), path.isMember, path.names.count == 1 else { return false }
      return project.functions(path.first, of: type).contains { inner in
        inner.descendants(SequenceExprSyntax.self).contains { sequence in
          let parts = Array(sequence.elements)
          return parts.count == 3 && parts[1].is(AssignmentExprSyntax.self) && Path(parts[0])?.names == [name]
            && parts[2].code == "false"
        }
      }
    }
  }
}
