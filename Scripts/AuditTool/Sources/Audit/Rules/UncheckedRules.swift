import SwiftSyntax

private let section = "Data races that the compiler does not see"

/// Code that asks the compiler, or a thread, not to check isolation.
let uncheckedRules: [any Rule] = [
  LegacyRule(
    "unchecked-sendable", "The compiler does not look for data races in the type.",
    instead: "`ViewModelActor`, or a `Mutex` in a `Sendable` class", section: section,
    example: "final class Cart: @unchecked Sendable {}", repaired: "final class Cart: Sendable {}",
    find: { file, _ in
      guard file.text.contains("@unchecked") else { return [] }
      return file.tree.descendants(InheritedTypeSyntax.self).filter {
        $0.type.as(AttributedTypeSyntax.self).map { attributeNames($0.attributes).contains("unchecked") }
          == true
      }.map { Syntax($0) }
    }),
  LegacyRule(
    "unsafe-nonisolated", "The compiler does not look for data races on the variable.",
    instead: "`StateStore`, or a `Mutex`", section: section,
    example: "nonisolated(unsafe) var count = 0", repaired: "let count = Mutex(0)",
    find: { file, _ in
      guard file.text.contains("nonisolated") else { return [] }
      return file.tree.descendants(DeclModifierSyntax.self).filter {
        $0.name.text == "nonisolated" && $0.detail?.detail.text == "unsafe"
      }.map { Syntax($0) }
    }),
  LegacyRule(
    "main-thread-check",
    "The check is about a thread or a queue, so the compiler does not check the callers.",
    instead: "`@MainActor`, or `StateMirror`", section: "Main-queue assumptions",
    example: "precondition(Thread.isMainThread)", repaired: "@MainActor func render() {}",
    find: { file, _ in
      let threads =
        file.names.contains("isMainThread") ? file.tree.descendants(MemberAccessExprSyntax.self) : []
      let checks = file.all(FunctionCallExprSyntax.self).filter {
        $0.name == "dispatchPrecondition"
          && [".onQueue(.main)", ".onQueue(DispatchQueue.main)"].contains($0.argument("condition")?.code)
      }
      return threads.filter {
        $0.declName.baseName.text == "isMainThread" && ["Thread", "Thread.current"].contains($0.base?.code)
      }.map { Syntax($0) } + checks.map { Syntax($0) }
    }),
]
