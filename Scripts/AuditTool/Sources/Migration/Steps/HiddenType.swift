import Audit
import SwiftSyntax

/// A type that only code of its file sees, or less code.
struct HiddenType {
  let node: Syntax
  /// The `private` that hides the type from code of its file outside of the type around it.
  let narrowing: DeclModifierSyntax?
  /// Whether the type is hidden in its file without the modifier.
  let isInHiddenExtension: Bool

  /// `nil` if other files can see the type.
  init?(_ node: Syntax) {
    let access = node.asProtocol((any WithModifiersSyntax).self)?.modifiers
      .first { accessLevels.contains($0.name.text) }
    let outer = node.parent?.parent?.parent?.parent?.as(ExtensionDeclSyntax.self)
    isInHiddenExtension = outer?.modifiers.contains { hiding.contains($0.name.text) } == true
    guard access.map({ hiding.contains($0.name.text) }) ?? isInHiddenExtension else { return nil }
    self.node = node
    narrowing =
      access?.name.text == "private" && node.parent?.is(MemberBlockItemSyntax.self) == true ? access : nil
  }
}

private let hiding: Set = ["private", "fileprivate"]
private let accessLevels = hiding.union(["internal", "package", "public", "open"])

extension Edits {
  /// Lets all code of the file see the hidden types that some code names, and the types in their declarations.
  mutating func show(_ code: String, _ hidden: [String: HiddenType], _ shown: inout Set<SyntaxIdentifier>) {
    for type in code.typeWords.compactMap({ hidden[$0] }) where shown.insert(type.node.id).inserted {
      if let modifier = type.narrowing {
        if type.isInHiddenExtension {
          remove(modifier)
        } else {
          replace(modifier.name, with: "fileprivate")
        }
      }
      show(type.node.code, hidden, &shown)
    }
  }
}

extension String {
  /// The words of code that can be names of types.
  var typeWords: [String] {
    split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }
}

extension TypeInfo {
  /// The nested types, and those of the file, that only code of the file of the class sees.
  func hiddenTypes(in project: Project) -> [String: HiddenType] {
    guard let file = declaration.flatMap(project.file) else { return [:] }
    let members = blocks.filter { project.file(of: $0)?.path == file.path }.flatMap(\.members)
    let topLevel = file.tree.statements.map { Syntax($0.item) }
    return Dictionary(
      (members.map { Syntax($0.decl) } + topLevel).compactMap { node in
        guard declGroup(node) != nil || node.is(TypeAliasDeclSyntax.self),
          let name = node.asProtocol((any NamedDeclSyntax).self)?.name.text, let type = HiddenType(node)
        else { return nil }
        return (name, type)
      }
    ) { first, _ in first }
  }
}
