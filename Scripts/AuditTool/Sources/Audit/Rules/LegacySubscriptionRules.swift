import SwiftSyntax

private let observing = ["bind", "observe", "subscribe", "listen", "on"]

/// What observers and timers of an app are, apart from what goes wrong with them.
let subscriptionRules: [any Rule] = [
  LegacyRule(
    "observer-closure",
    "A closure that is called for each change has no end, and often one place for one observer.",
    instead: "`StateStore` or `EventChannel`", section: "The last binding wins",
    example: "func bind(_ observer: @escaping (State) -> Void) { onChange = observer }",
    repaired: "let store = StateStore(State())",
    find: { file, project in
      file.all(FunctionDeclSyntax.self).filter { function in
        observing.contains { startsWithWord(function.name.text, $0) }
          && function.signature.effectSpecifiers == nil
          && project.type(around: function).map { $0.isReference || $0.kind == .protocol } == true
          && CompletionPathsRule.handlers(of: function, project).isEmpty
          && function.signature.parameterClause.parameters.contains { takesValues($0, project) }
      }.map { Syntax($0) }
    }),
  LegacyRule(
    "combine-subscription",
    "The closure runs before a `@Published` property has its value, and `assign(to:on:)` keeps its target alive.",
    instead: "`StateMirror` or `observe(on:_:)`", section: "Values before they are set",
    example: "model.$query.sink { query in show(query) }.store(in: &cancellables)",
    repaired: "observation = model.observe(on: self) { screen, state in screen.show(state.query) }",
    find: { file, _ in
      file.all(FunctionCallExprSyntax.self).filter { call in
        call.name == "sink" && call.receiver != nil && !call.closures.isEmpty
          || call.name == "assign" && call.argument("to") != nil
      }.map { Syntax($0) }
    }),
  LegacyRule(
    "timer",
    "The run loop keeps the timer and its target until `invalidate()`, and a test has to wait for it.",
    instead: "`debounced(for:)`, or a loop with `any Clock<Duration>` in a `TaskSlot`",
    section: "A cancel that does not cancel",
    example:
      "timer = Timer.scheduledTimer(withTimeInterval: 60, repeats: true) { [weak self] _ in self?.refresh() }",
    repaired: "slot.run { while true { try await clock.sleep(for: .seconds(60)); await refresh() } }",
    find: { file, _ in
      file.all(FunctionCallExprSyntax.self).filter { call in
        ["Timer.scheduledTimer", "Timer.publish"].contains(call.callee)
          || call.callee == "Timer" && (call.argument("timeInterval") ?? call.argument("fire")) != nil
      }.map { Syntax($0) }
    }),
  LegacyRule(
    "task-sleep", "A test has to wait for the delay, and after `try?` a cancelled task goes on at once.",
    instead: "`debounced(for:)`, `withDeadline`, or `sleep` of `any Clock<Duration>`",
    section: "A cancel that does not cancel",
    example: "try? await Task.sleep(for: .seconds(1)); refresh()",
    repaired: "try await clock.sleep(for: .seconds(1)); refresh()",
    find: { file, _ in
      file.all(FunctionCallExprSyntax.self).filter { $0.callee == "Task.sleep" }.map { Syntax($0) }
    }),
  LegacyRule(
    "keyboard-in-model", "A screen that is not shown reacts to the keyboard.", instead: "`ScreenHost`",
    section: "Keyboard handling in a view model",
    example: """
      final class LoginViewModel {
        let name = UIResponder.keyboardWillShowNotification
      }
      """,
    repaired: """
      final class LoginScreen: HostedScreen {
        func didLoad(in host: ScreenHost) {
          host.bindings.observe(host.keyboardChanges(), on: self) { screen, change in screen.inset = change.height }
        }
      }
      """,
    find: { file, project in
      guard file.names.contains(where: isOfKeyboard) else { return [] }
      return file.tree.descendants(MemberAccessExprSyntax.self).filter { access in
        isOfKeyboard(access.declName.baseName.text)
          && project.type(around: access).map { project.isViewModel($0) } == true
      }.map { Syntax($0) }
    }),
]

/// Whether a camel-case name begins with a word: `onChange`, but not `once`.
private func startsWithWord(_ name: String, _ word: String) -> Bool {
  name.hasPrefix(word) && name.dropFirst(word.count).first?.isLowercase != true
}

private func isOfKeyboard(_ name: String) -> Bool {
  ["keyboardWill", "keyboardDid"].contains { startsWithWord(name, $0) }
}

/// Whether a parameter is a closure that is kept, and takes a value.
private func takesValues(_ parameter: FunctionParameterSyntax, _ project: Project) -> Bool {
  guard let type = parameter.type.as(AttributedTypeSyntax.self),
    attributeNames(type.attributes).contains("escaping")
  else { return false }
  let code = String(
    (project.alias(type.baseType.code, in: project.type(around: parameter)) ?? type.baseType.code).filter {
      !$0.isWhitespace
    })
  return !code.hasPrefix("()") && !code.contains("async")
    && ["->Void", "->()"].contains { code.hasSuffix($0) }
}
