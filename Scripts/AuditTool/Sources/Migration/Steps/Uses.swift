import Audit
import Foundation
import SwiftSyntax

extension Project {
  /// The places that use a property of a type, such as `name`, `self.name` and the `self?.name` of a closure.
  ///
  /// - Throws: ``Refusal`` if other code can use the property, too.
  func uses(of property: Property, in type: TypeInfo) throws(Refusal) -> [ExprSyntax] {
    // `private(set)` has a detail.
    let isPrivate = property.declaration.modifiers.contains {
      ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil
    }
    guard isPrivate else {
      throw Refusal(
        "'\(property.name)' is not private, so other types can use it", at: place(property.declaration))
    }
    return type.blocks.flatMap { block in
      block.descendants(DeclReferenceExprSyntax.self).compactMap { reference -> ExprSyntax? in
        guard reference.baseName.text == property.name, self.type(around: reference) === type else {
          return nil
        }
        let member = reference.parent?.as(MemberAccessExprSyntax.self).flatMap {
          $0.declName.id == reference.id ? ExprSyntax($0) : nil
        }
        let expression = member ?? ExprSyntax(reference)
        return Path(expression).map { $0.isMember && $0.names == [property.name] } == true ? expression : nil
      }
    }
  }

  func place(_ node: some SyntaxProtocol) -> Place? { file(of: node)?.place(node) }
}

extension SyntaxProtocol {
  /// The statement that this node begins or is.
  var statement: CodeBlockItemSyntax? {
    var node = Syntax(self)
    while let parent = node.parent {
      if let item = parent.as(CodeBlockItemSyntax.self) { return item }
      guard
        parent.is(ExprSyntax.self) || parent.is(ExprListSyntax.self) || parent.is(ExpressionStmtSyntax.self)
      else {
        return nil
      }
      node = parent
    }
    return nil
  }

  /// The code with the line ends that edits have.
  var lines: String { code.replacingOccurrences(of: "\r\n", with: "\n") }

  /// How often the code below this node uses a local name. A property can have the same name.
  func count(of name: String) -> Int {
    descendants(DeclReferenceExprSyntax.self).count { reference in
      let isMember =
        reference.parent?.as(MemberAccessExprSyntax.self).map { $0.declName.id == reference.id } == true
      return reference.baseName.text == name && !isMember
        && localDeclaration(of: name, at: reference) != nil
    }
  }
}

extension CodeBlockItemSyntax {
  /// The statements among which this one stands.
  var siblings: [CodeBlockItemSyntax] {
    parent?.as(CodeBlockItemListSyntax.self).map(Array.init) ?? []
  }

  var index: Int { siblings.firstIndex { $0.id == id } ?? 0 }

  var call: FunctionCallExprSyntax? { item.as(FunctionCallExprSyntax.self) }

  /// The two sides of `target = value`.
  var assignment: (target: ExprSyntax, value: ExprSyntax)? { operation("=") }

  /// The two sides of `left operator right`.
  func operation(_ name: String) -> (target: ExprSyntax, value: ExprSyntax)? {
    item.as(SequenceExprSyntax.self)?.operation(name)
  }

  /// The name and the value of `let name = value`.
  var constant: (name: String, value: ExprSyntax)? {
    guard let variable = item.as(VariableDeclSyntax.self), variable.bindings.count == 1,
      variable.bindingSpecifier.text == "let", let binding = variable.bindings.first,
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
      let value = binding.initializer?.value
    else { return nil }
    return (name, value)
  }

  /// The statements before this one that have run when it runs, in its function or closure.
  var before: [CodeBlockItemSyntax] {
    var found: [CodeBlockItemSyntax] = []
    var item = self
    while true {
      found += item.siblings.prefix(item.index)
      var node = item.parent
      while let current = node, !current.is(CodeBlockItemSyntax.self) {
        if current.is(ClosureExprSyntax.self) || declGroup(current) != nil { return found }
        node = current.parent
      }
      guard let outer = node?.as(CodeBlockItemSyntax.self) else { return found }
      item = outer
    }
  }
}

extension SequenceExprSyntax {
  func operation(_ name: String) -> (target: ExprSyntax, value: ExprSyntax)? {
    let parts = Array(elements)
    return parts.count == 3 && parts[1].code == name ? (parts[0], parts[2]) : nil
  }
}

extension Edits {
  /// Removes a statement with its line. The comments above it stay.
  mutating func removeStatement(_ item: CodeBlockItemSyntax) {
    // Of a line with several statements, the others stay where they are.
    if let next = item.nextToken(viewMode: .sourceAccurate), !next.leadingTrivia.hasNewline {
      return replace(
        item.positionAfterSkippingLeadingTrivia, next.positionAfterSkippingLeadingTrivia, in: item, with: "")
    }
    let comments = comments(of: item)
    if comments.isEmpty { removeLines(item) } else { replaceLines(item, with: comments) }
  }

  /// Replaces the declaration of a property. Its access level stays.
  mutating func redeclare(_ property: Property, as name: String, _ value: String, isLazy: Bool) {
    let declaration = property.declaration
    let access = declaration.modifiers.code
    replace(
      declaration,
      with: "\(access.isEmpty ? "" : access + " ")\(isLazy ? "lazy var" : "let") \(name) = \(value)")
    addImport("AsyncViewModelsGCD", to: declaration)
  }
}

/// A dispatch queue as an argument of the toolkit, and whether it is a property of the instance.
struct QueueArgument: Hashable {
  let code: String
  let isProperty: Bool

  init?(_ queue: ExprSyntax?, in type: TypeInfo) {
    guard let queue else { return nil }
    if queue.code == "DispatchQueue.main" || queue.code == ".main" {
      (code, isProperty) = (".main", false)
    } else if let path = Path(queue), path.isMember, path.names.count == 1,
      let property = type.properties[path.first], property.isLet, property.isQueue
    {
      // A concurrent queue guards nothing.
      guard property.initialValue?.code.contains(".concurrent") != true else { return nil }
      (code, isProperty) = (path.first, true)
    } else {
      return nil
    }
  }
}
