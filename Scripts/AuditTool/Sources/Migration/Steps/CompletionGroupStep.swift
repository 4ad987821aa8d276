import Audit
import SwiftSyntax

/// Replaces a local `DispatchGroup` whose members leave it in completion handlers.
struct CompletionGroupStep: Step {
  let name = "completion-group"
  let summary = "Replaces a DispatchGroup with a CompletionGroup, whose entries leave it exactly once."
  let subject = "a class with a `DispatchGroup`"
  let page = "MigrationRecipes"

  func changes(in scope: Scope) -> [Change] {
    scope.viewModels().flatMap { type in
      let groups = type.blocks.flatMap { $0.descendants(CodeBlockItemSyntax.self) }.filter { item in
        scope.project.type(around: item) === type
          && item.constant?.value.as(FunctionCallExprSyntax.self)?.callee == "DispatchGroup"
      }
      let locals = groups.map { group in
        let function = group.ancestor(FunctionDeclSyntax.self)?.name.text ?? "init"
        return Change("\(type.name).\(function).\(group.constant!.name)", in: scope.project) {
          edits throws(Refusal) in
          try Group(declaration: group, project: scope.project).replace(&edits)
        }
      }
      let stored = type.properties.values.filter(\.isGroup).sorted { $0.name < $1.name }.map { property in
        Change("\(type.name).\(property.name)", in: scope.project) { _ throws(Refusal) in
          throw Refusal(
            "several functions share it, so it is unknown which call of leave() belongs to which call of enter()",
            at: scope.project.place(property.declaration))
        }
      }
      return locals + stored
    }
  }

  func rest(in scope: Scope) -> String? { scope.rest("DispatchGroup", [.class]) }
}

extension Scope {
  /// Says which code makes an object that the step changes only in view models, or in a named type.
  func rest(_ made: String, _ kinds: Set<TypeInfo.Kind>) -> String? {
    guard only.isEmpty else { return nil }
    let known = viewModels(kinds)
    let calls = project.files.filter { !$0.isTest }.flatMap { file in
      file.all(FunctionCallExprSyntax.self).filter { call in
        call.callee == made && !known.contains { $0 === project.type(around: call) }
      }
    }
    guard !calls.isEmpty else { return nil }
    let places = calls.prefix(3).compactMap { call in
      project.place(call).map { place in
        "\(project.type(around: call).map { "`\($0.name)` " } ?? "")(\(place.path):\(place.line))"
      }
    }
    return "a `\(made)` outside of view models: \(places.joined(separator: ", "))"
      + (calls.count > 3 ? " and \(calls.count - 3) more" : "")
      + "; --only NAME changes a class of another name"
  }
}

private struct Group {
  let declaration: CodeBlockItemSyntax
  let project: Project

  var name: String { declaration.constant!.name }

  func replace(_ edits: inout Edits) throws(Refusal) {
    guard let scope = declaration.parent,
      let made = declaration.constant?.value.as(FunctionCallExprSyntax.self)
    else { return }
    var enters: [CodeBlockItemSyntax] = [], leaves: [FunctionCallExprSyntax] = []
    var notifications: [FunctionCallExprSyntax] = []
    for use in scope.descendants(DeclReferenceExprSyntax.self) where use.baseName.text == name {
      guard let call = use.parent?.parent?.as(FunctionCallExprSyntax.self),
        call.receiver?.id == ExprSyntax(use).id
      else {
        throw refusal("it is passed to other code", use)
      }
      switch call.name {
      case "enter":
        guard let item = call.statement else { throw refusal("its enter() is not a statement", call) }
        enters.append(item)
      case "leave": leaves.append(call)
      case "notify":
        if let work = call.argument("execute"), !work.is(ClosureExprSyntax.self) {
          throw refusal("its notify does not have a closure that is written there: write one", work)
        }
        guard call.arguments.first?.label?.text == "queue", call.closures.count == 1,
          call.arguments.allSatisfy({ ["queue", "execute"].contains($0.label?.text) })
        else { throw refusal("its notify has a quality of service, flags or a work item", call) }
        notifications.append(call)
      case "wait": throw refusal("wait() blocks a thread; use notify", call)
      default: throw refusal("its member '\(call.name)' has no counterpart", call)
      }
    }

    // An entry must not hide a name of the code.
    var names = Set(scope.tokens(viewMode: .sourceAccurate).map(\.text))
    for (index, enter) in enters.enumerated() {
      // The piece of work is all code up to the next statement of the block with an enter().
      let next = enter.siblings[(enter.index + 1)...].firstIndex { item in
        enters.contains { other in other.id == item.id || other.ancestors.contains { $0.id == item.id } }
      }
      let work = enter.siblings[(enter.index + 1)..<(next ?? enter.siblings.endIndex)]
      let own = leaves.filter { leave in
        work.contains { item in leave.ancestors.contains { $0.id == item.id } }
      }
      guard let first = own.first,
        let item = work.first(where: { item in first.ancestors.contains { $0.id == item.id } }),
        own.allSatisfy({ leave in leave.ancestors.contains { $0.id == item.id } })
      else { throw refusal("no single statement after this enter() leaves the group", enter) }
      guard
        own.allSatisfy({
          $0.ancestor(ClosureExprSyntax.self).map { closure in closure.ancestors.contains { $0.id == item.id }
          } == true
        })
      else { throw refusal("the group is left outside of a completion handler", first) }
      leaves.removeAll { leave in own.contains { $0.id == leave.id } }
      let entry = entryName(item, &names, isOnly: enters.count == 1, index)
      edits.replace(enter.item, with: "let \(entry) = \(name).enter()")
      for leave in own { edits.replace(leave, with: "\(entry).leave()") }
    }
    if let leave = leaves.first {
      throw refusal("no enter() of the same block belongs to this leave()", leave)
    }
    guard !enters.isEmpty else { throw refusal("no code enters it", declaration) }
    for call in notifications {
      let argument = call.arguments.first!
      edits.replace(
        argument, with: "on: \(argument.expression.code)" + (argument.trailingComma == nil ? "" : ","))
      if let label = call.arguments.first(where: { $0.label?.text == "execute" }) {
        edits.replace(label, with: label.expression.code)
      }
    }
    edits.replace(made.calledExpression, with: "CompletionGroup")
    edits.addImport("AsyncViewModelsGCD", to: declaration)
  }

  /// `fetchBannerEntry` for a call of `fetchBanner`.
  private func entryName(
    _ item: CodeBlockItemSyntax, _ names: inout Set<String>, isOnly: Bool, _ index: Int
  ) -> String {
    let called = isOnly ? nil : item.call?.name
    var name = called.map { $0 + "Entry" } ?? "entry"
    var number = index
    while !names.insert(name).inserted {
      number += 1
      name = (called.map { $0 + "Entry" } ?? "entry") + "\(number)"
    }
    return name
  }

  private func refusal(_ reason: String, _ node: some SyntaxProtocol) -> Refusal {
    Refusal(reason, at: project.place(node))
  }
}
