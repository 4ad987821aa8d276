import SwiftSyntax

/// A delay that hopes that other work has ended.
struct AsyncAfterRule: Rule {
  let kind = "async-after"
  let severity = Severity.note
  let consequence = "On a slow device the work has not ended yet, and the screen shows the wrong thing."
  let why =
    "A delay says nothing about when other work ends, and a delayed block runs even if its reason is gone."
  let example = """
    service.save(item)
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { self.reload() }
    """
  let repair = "`await` the work itself, or its completion"
  let repaired = "try await service.save(item); reload()"
  let section = "A cancel that does not cancel"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    if file.imports("XCTest", "Testing") { return [] }
    var findings: [Finding] = []
    for call in file.all(FunctionCallExprSyntax.self) where call.name == "asyncAfter" {
      guard let closure = call.closures.first?.closure, isFixed(call) else { continue }
      if isDeliberate(call, closure) { continue }
      guard let before = beginning(before: Syntax(call)) else { continue }
      findings.append(
        finding(
          "the delayed block hopes that `\(before.name)` has ended",
          at: file.place(call, "waits for a fixed time"),
          [file.place(before.node, "begins the work")]))
    }
    for call in file.all(FunctionCallExprSyntax.self)
    where call.name == "sleep" && call.callee == "Task.sleep" {
      guard
        call.arguments.first?.expression.is(IntegerLiteralExprSyntax.self) == true
          || call.arguments.first?.expression.code.contains("(") == true
      else { continue }
      // In a loop the sleep polls, and a sleep at the beginning of a task delays it.
      if call.ancestors.contains(where: {
        $0.kind == .whileStmt || $0.kind == .forStmt || $0.kind == .repeatStmt || $0.kind == .catchClause
      }) {
        continue
      }
      guard let block = call.ancestor(CodeBlockItemListSyntax.self), let body = block.parent,
        !isDeliberate(call, body)
      else { continue }
      guard let before = beginning(before: Syntax(call)), !awaits(in: before.node), !isCovered(before.node)
      else { continue }
      findings.append(
        finding(
          "the sleep hopes that `\(before.name)` has ended", at: file.place(call, "waits for a fixed time"),
          [file.place(before.node, "begins the work")]))
    }
    return findings
  }

  private func isCovered(_ node: Syntax) -> Bool {
    node.ancestors.prefix(3).contains { $0.is(AwaitExprSyntax.self) }
  }

  private func isFixed(_ call: FunctionCallExprSyntax) -> Bool {
    guard let deadline = call.arguments.first?.expression else { return false }
    return deadline.descendants(FloatLiteralExprSyntax.self).count
      + deadline.descendants(IntegerLiteralExprSyntax.self).count > 0
  }

  private func isDeliberate(_ call: FunctionCallExprSyntax, _ body: some SyntaxProtocol) -> Bool {
    let function = call.ancestor(FunctionDeclSyntax.self)?.name.text ?? ""
    let names = [function] + body.descendants(DeclReferenceExprSyntax.self).map(\.baseName.text)
    if names.contains(where: NameTable.deliberate.isIn) { return true }
    // A check in the block asks whether the reason still holds.
    return body.descendants(ConditionElementSyntax.self).contains { element in
      if case .expression = element.condition { return !bindsSelf(Syntax(element)) }
      return false
    }
  }

  /// The last statement before a node that begins work which can still run.
  private func beginning(before node: Syntax) -> (node: Syntax, name: String)? {
    guard let item = node.ancestor(CodeBlockItemSyntax.self),
      let list = item.parent?.as(CodeBlockItemListSyntax.self)
    else { return nil }
    for earlier in list.reversed() where earlier.position < item.position {
      if let call = callOf(earlier) {
        let name = call.name
        guard
          NameTable.begins.begins(name) || name == "Task"
            || name == "async"
        else { continue }
        // A mutation of an array is done when it returns.
        if ["append", "insert", "remove", "removeAll", "update", "addSubview", "removeFromSuperview"]
          .contains(name), call.arguments.count < 2
        {
          continue
        }
        if name.hasPrefix("setNeeds") || name.hasPrefix("layoutIfNeeded") { continue }
        return (Syntax(call), name)
      }
    }
    return nil
  }

  private func callOf(_ item: CodeBlockItemSyntax) -> FunctionCallExprSyntax? {
    guard case .expr(var node) = item.item else { return nil }
    while true {
      if let tried = node.as(TryExprSyntax.self) {
        node = tried.expression
      } else if let chained = node.as(OptionalChainingExprSyntax.self) {
        node = chained.expression
      } else {
        return node.as(FunctionCallExprSyntax.self)
      }
    }
  }
}
