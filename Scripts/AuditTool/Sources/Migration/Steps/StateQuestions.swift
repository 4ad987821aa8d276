import Audit
import SwiftSyntax

extension TypeInfo {
  /// What a person has to decide about the struct that takes the referenced properties.
  func questions(about references: [MemberReference], in project: Project) -> [String] {
    var questions: [String] = []
    let used = unguardedNames(references, in: project)
    if let guarding = properties.values.filter({ $0.isQueue || $0.isLock }).map(\.name).min() {
      questions.append("Does `\(guarding)` guard all of `State`? Two threads must not use it at once.")
    } else if !used.isEmpty {
      questions.append(
        "What guards `State`? Tasks use \(used.quoted) on any thread. Isolate the class to the main actor, or make it an actor."
      )
    }
    let lazy = lazyValues(in: project).map(\.name)
    if !lazy.isEmpty {
      questions.append(
        "Does \(lazy.quoted) belong to `State`? A lazy property stays outside of it. Compute the value in a function, or set it in an initializer."
      )
    }
    return questions
  }

  /// The names of the references in tasks and async functions that run on any thread.
  private func unguardedNames(_ references: [MemberReference], in project: Project) -> [String] {
    guard !isActor, !project.isMainActor(self) else { return [] }
    // Also functions that tasks call, and those that these call.
    var called: Set<String> = [], known = -1
    while known < called.count {
      known = called.count
      for call in blocks.flatMap({ $0.descendants(FunctionCallExprSyntax.self) }) {
        let callee = call.calledExpression
        let path = callee.is(DeclReferenceExprSyntax.self) ? nil : Path(callee)
        guard functions[call.name] != nil, path.map({ $0.isMember && $0.names.count == 1 }) != false,
          runsOnAnyThread(callee, called, in: project)
        else { continue }
        called.insert(call.name)
      }
    }
    let names = references.filter { runsOnAnyThread($0.node, called, in: project) }.map(\.name)
    return Set(names).sorted()
  }

  /// Whether a task or an async function runs the code at a node without isolation. `called` are the
  /// functions that such code calls.
  private func runsOnAnyThread(
    _ node: some SyntaxProtocol, _ called: Set<String>, in project: Project
  ) -> Bool {
    guard [.unknown, .concurrent].contains(project.isolation(of: node)) else { return false }
    for node in node.ancestors {
      if let closure = node.as(ClosureExprSyntax.self) {
        switch closure.use {
        case .task: return true
        case .once, .many: continue
        case .later: return false
        }
      }
      if let function = node.as(FunctionDeclSyntax.self) {
        return function.signature.effectSpecifiers?.asyncSpecifier != nil
          || called.contains(function.name.text)
      }
      if declGroup(node) != nil { return false }
    }
    return false
  }
}

extension [String] {
  /// The first names in backticks, and the number of the others.
  fileprivate var quoted: String {
    prefix(3).map { "`\($0)`" }.joined(separator: ", ") + (count > 3 ? " and \(count - 3) more" : "")
  }
}
