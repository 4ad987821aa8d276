import SwiftSyntax

/// `Date()` used to measure a duration.
struct WallClockRule: Rule {
  let kind = "wall-clock"
  let severity = Severity.note
  let consequence = "A measured time is wrong, or a timeout never ends, after the clock of the device is set."
  let why = "`Date()` follows the clock of the device, which a person and the network can set."
  let example = """
    let start = Date()
    await work()
    log(Date().timeIntervalSince(start))
    """
  let repair = "`ContinuousClock`, also as `any Clock<Duration>`, so that a test needs no waiting"
  let repaired = "log(await ContinuousClock().measure { await work() })"
  let section = "A cancel that does not cancel"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    guard ["Date", "CFAbsoluteTimeGetCurrent"].contains(where: { file.text.contains($0) }) else { return [] }
    var findings: [Finding] = []
    for call in file.all(FunctionCallExprSyntax.self)
    where call.name == "timeIntervalSince" || call.name == "distance" {
      // `Date().timeIntervalSince(start)` and `end.timeIntervalSince(start)`
      guard let receiver = call.receiver, let start = call.arguments.first?.expression, isNow(receiver, call),
        let begin = beginning(start, project)
      else { continue }
      findings.append(found(Syntax(call), begin, start.code, file))
    }
    for member in file.tree.descendants(MemberAccessExprSyntax.self)
    where member.declName.baseName.text == "timeIntervalSinceNow" {
      guard let base = member.base, let begin = beginning(base, project) else { continue }
      findings.append(found(Syntax(member), begin, base.code, file))
    }
    for sequence in file.all(SequenceExprSyntax.self) {
      let elements = Array(sequence.elements)
      for index in elements.indices.dropFirst().dropLast()
      where elements[index].as(BinaryOperatorExprSyntax.self)?.operator.text == "-" {
        guard isNow(elements[index - 1], sequence) || isStamp(elements[index - 1]),
          let begin = beginning(elements[index + 1], project)
        else { continue }
        findings.append(found(Syntax(elements[index - 1]), begin, elements[index + 1].code, file))
      }
    }
    // `let deadline = Date().addingTimeInterval(5)`, `while Date() < deadline`
    for sequence in file.all(SequenceExprSyntax.self) {
      let elements = Array(sequence.elements)
      guard elements.count == 3, let sign = elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text,
        ["<", ">", "<=", ">="].contains(sign)
      else { continue }
      for (now, limit) in [(elements[0], elements[2]), (elements[2], elements[0])] {
        guard isNow(now, sequence), let path = Path(limit), !path.isMember, path.names.count == 1,
          let local = localDeclaration(of: path.first, at: limit)?.as(PatternBindingSyntax.self),
          let value = local.initializer?.value.code,
          value.hasPrefix("Date().addingTimeInterval") || value.hasPrefix("Date.now.addingTimeInterval")
            || value.hasPrefix("Date() +") || value.hasPrefix("Date(timeIntervalSinceNow")
        else { continue }
        findings.append(found(Syntax(sequence), Syntax(local), path.first, file))
      }
    }
    return findings
  }

  private func found(_ node: Syntax, _ begin: Syntax, _ name: String, _ file: SourceFile) -> Finding {
    finding(
      "the duration since `\(name)` is measured with the clock of the device",
      at: file.place(node, "measured here"),
      [file.place(begin, "began here")])
  }

  private func isStamp(_ node: ExprSyntax) -> Bool {
    let code = node.code
    return code == "CFAbsoluteTimeGetCurrent()" || code.hasPrefix("Date().timeIntervalSince")
      || code.hasPrefix("Date.timeIntervalSince")
      || code.hasPrefix("Date.now.timeIntervalSince")
  }

  /// Whether an expression is the current time, or a local constant made of it.
  private func isNow(_ node: ExprSyntax, _ place: some SyntaxProtocol) -> Bool {
    let code = node.code
    if ["Date()", "Date.now", ".now", "Date.init()", "NSDate()"].contains(code) || isStamp(node) {
      return true
    }
    guard let path = Path(node), !path.isMember, path.names.count == 1,
      let local = localDeclaration(of: path.first, at: place)?.as(PatternBindingSyntax.self),
      let value = local.initializer?.value
    else { return false }
    return ["Date()", "Date.now"].contains(value.code) || isStamp(value)
  }

  /// Whether a value is the current time, or a local name of it.
  private func isCurrent(_ value: ExprSyntax) -> Bool { isNow(value, value) || value.code == "now" }

  /// Where the start of a measurement is taken, if an expression is one.
  private func beginning(_ node: ExprSyntax, _ project: Project) -> Syntax? {
    guard let path = Path(node) else { return nil }
    if !path.isMember {
      guard path.names.count == 1 else { return nil }
      if let local = localDeclaration(of: path.first, at: node) {
        if let binding = local.as(PatternBindingSyntax.self), let value = binding.initializer?.value,
          ["Date()", "Date.now", "NSDate()"].contains(value.code) || isStamp(value)
        {
          return Syntax(binding)
        }
        // `if let start = startedAt`
        if let binding = local.as(OptionalBindingConditionSyntax.self) {
          let name = binding.initializer.flatMap { Path($0.value) }?.last ?? binding.pattern.code
          return memberBeginning(name, node, project)
        }
      }
      return nil
    }
    return path.names.count == 1 ? memberBeginning(path.first, node, project) : nil
  }

  /// A property that is only ever set to the current time, by code that begins something.
  private func memberBeginning(_ name: String, _ node: some SyntaxProtocol, _ project: Project) -> Syntax? {
    guard let type = project.type(around: node), let property = project.property(name, of: type) else {
      return nil
    }
    if let value = property.initialValue, value.code == "Date()" || value.code == "Date.now" || isStamp(value)
    {
      return Syntax(property.declaration)
    }
    var found: Syntax?
    for block in type.blocks {
      for sequence in block.descendants(SequenceExprSyntax.self) {
        let elements = Array(sequence.elements)
        guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
          Path(elements[0]).map({ $0.isMember && $0.names == [name] }) == true
        else { continue }
        let code = elements[2].code
        if code == "nil" { continue }
        if code.hasSuffix("distantPast") { continue }
        guard isCurrent(elements[2]) else { return nil }
        found = Syntax(sequence)
      }
    }
    return found
  }
}
