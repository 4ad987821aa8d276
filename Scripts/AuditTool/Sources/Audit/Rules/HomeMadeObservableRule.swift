import SwiftSyntax

/// An observable value that a team wrote itself.
struct HomeMadeObservableRule: Rule {
  let kind = "home-made-observable"
  let consequence =
    "A second part of the screen that binds makes the first one stop, or a closed screen goes on to react."
  let why = """
    A box that keeps one closure forgets the earlier one. A box that keeps a list never forgets a screen that has gone. Both call on the \
    thread that happens to set the value.
    """
  let example = """
    final class Box<T> {
      var value: T { didSet { listener?(value) } }
      private var listener: ((T) -> Void)?
      init(_ value: T) { self.value = value }
      func bind(_ listener: @escaping (T) -> Void) { self.listener = listener }
    }
    """
  let repair = "`StateStore`"
  let repaired = """
    let store = StateStore(value)
    observation = store.observe(on: self) { screen, value in screen.show(value) }
    """
  let section = "The last binding wins"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(ClassDeclSyntax.self).compactMap { declaration in
      let generics = declaration.genericParameterClause?.parameters.map(\.name.text) ?? []
      guard !generics.isEmpty, let type = project.info(of: declaration),
        !project.isViewController(type),
        !project.inherits(type, from: ["UIView", "ObservableObject", "UIControl"])
      else { return nil }
      let values = type.properties.values.filter { property in
        property.isStored && !property.isLet && !property.isStatic
          && generics.contains { uses(property.type, $0) } && !calls(property, generics, type, project)
      }
      guard !values.isEmpty || isSetter(type, generics) else { return nil }
      let closures = type.properties.values.filter {
        $0.isStored && !$0.isStatic && !$0.isLet && calls($0, generics, type, project)
          // A function that the owner gives is awaited, and an observer is not.
          && !$0.type.contains("async->") && !isSetByInitializer($0.name, type)
      }
      .sorted { ($0.declaration.position, $0.name) < ($1.declaration.position, $1.name) }
      guard let closure = closures.first else { return nil }
      if isCollection(closure) {
        if isEmptied(closure.name, type) {
          guard let owner = weakOwner(closure, type, project), !dropsDead(owner, type) else { return nil }
          return finding(
            "`\(type.name)` keeps the entries of screens that have gone in `\(closure.name)`, unless a screen removes its own",
            at: file.place(closure.declaration, "kept here"))
        }
        return finding(
          "`\(type.name)` keeps the closures of screens that have gone in `\(closure.name)`",
          at: file.place(closure.declaration, "kept here"))
      }
      return finding(
        "`\(type.name)` has one `\(closure.name)`: the last one that binds replaces the others",
        at: file.place(closure.declaration, "replaced here"))
    }
  }

  private func isSetter(_ type: TypeInfo, _ generics: [String]) -> Bool {
    type.properties.values.contains { property in
      !property.isStatic && generics.contains { uses(property.type, $0) } && property.accessors != nil
    }
  }

  /// Whether an object is made with its closure, and nothing in the type replaces it.
  private func isSetByInitializer(_ name: String, _ type: TypeInfo) -> Bool {
    func sets(_ sequence: SequenceExprSyntax) -> Bool {
      let elements = Array(sequence.elements)
      guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
        !elements[2].is(NilLiteralExprSyntax.self)
      else { return false }
      let targets = elements[0].as(TupleExprSyntax.self)?.elements.map(\.expression) ?? [elements[0]]
      return targets.contains { Path($0) == Path(isMember: true, names: [name]) }
    }
    let places = type.blocks.flatMap { $0.descendants(SequenceExprSyntax.self).filter(sets) }
    return !places.isEmpty && places.allSatisfy { memberName(around: $0) == "init" }
  }

  private func uses(_ type: String, _ name: String) -> Bool {
    type.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains(Substring(name))
  }

  /// Whether a property holds closures that take the value: one, a list, or a list of values with a
  /// closure.
  private func calls(_ property: Property, _ generics: [String], _ type: TypeInfo, _ project: Project) -> Bool
  {
    func takesValue(_ text: String) -> Bool {
      guard let arrow = text.range(of: "->") else { return false }
      return generics.contains { uses(String(text[..<arrow.lowerBound]), $0) }
    }
    if takesValue(property.type) { return true }
    let words = property.type.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return words.contains { word in
      if let alias = project.alias(word, in: type), takesValue(alias) { return true }
      guard let entry = project.type(named: word, in: type), entry !== type else { return false }
      return entry.properties.values.contains {
        takesValue($0.type) || project.alias($0.plainType, in: entry).map(takesValue) == true
      }
    }
  }

  /// The weak property of the entries of a list: the screen that an entry belongs to.
  private func weakOwner(_ property: Property, _ type: TypeInfo, _ project: Project) -> String? {
    let words = property.type.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return words.lazy.compactMap {
      project.type(named: $0, in: type)?.properties.values.filter(\.isWeak).map(\.name).min()
    }.first
  }

  /// Whether code of the type removes the entries whose owner has gone.
  private func dropsDead(_ owner: String, _ type: TypeInfo) -> Bool {
    type.blocks.contains { block in
      block.descendants(FunctionCallExprSyntax.self).contains { call in
        ["filter", "removeAll", "compactMap"].contains(call.name)
          && ["\(owner) != nil", "\(owner) == nil"].contains { call.code.contains($0) }
      }
    }
  }

  private func isCollection(_ property: Property) -> Bool {
    let type = property.type
    return type.hasPrefix("[")
      || ["Array<", "Dictionary<", "Set<", "NSHashTable", "NSMapTable"].contains { type.hasPrefix($0) }
  }

  private func isEmptied(_ name: String, _ type: TypeInfo) -> Bool {
    type.blocks.contains { block in
      block.descendants(FunctionCallExprSyntax.self).contains { call in
        ["remove", "removeAll", "removeValue", "filter", "removeFirst", "removeSubrange"].contains(call.name)
          && call.receiver.flatMap { Path($0)?.last } == name
      }
        || block.descendants(SequenceExprSyntax.self).contains { sequence in
          let elements = Array(sequence.elements)
          guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
            elements[0].is(SubscriptCallExprSyntax.self)
          else { return false }
          return Path(elements[0])?.last == name && elements[2].is(NilLiteralExprSyntax.self)
        }
    }
  }
}
