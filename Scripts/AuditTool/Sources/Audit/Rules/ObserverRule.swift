import SwiftSyntax

/// An observer of notifications, key paths or time that is never removed, or is registered each
/// time a screen appears.
struct ObserverRule: Rule {
  let kind = "notification-observer"
  let severities: [Severity] = [.hazard, .note]
  let consequence = "A screen that has closed still reacts, and one that opens twice reacts twice."
  let why = """
    The center keeps a block until its token is removed, and calls a selector once for each registration. Key-value observers of the old \
    kind crash if they are not removed.
    """
  let example = """
    func start() {
      NotificationCenter.default.addObserver(forName: .cartChanged, object: nil, queue: .main) { _ in reload() }
    }
    """
  let repair = "`NotificationCenter.stream(of:)` with `observe(on:_:)`"
  let repaired = """
    observation = NotificationCenter.default.stream(of: .cartChanged) { $0.userInfo?["code"] as? String }
      .observe(on: self) { screen, code in screen.reload(code) }
    """
  let section = "Lost or doubled events"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      let labels = call.arguments.map { $0.label?.text ?? "" }
      switch call.name {
      case "addObserver" where labels.contains("forName"): return block(call, file, project)
      case "addObserver" where labels.contains("forKeyPath"):
        return isRemoved(call, ["removeObserver"], project)
          ? nil
          : finding(
            "the observer of \(call.argument("forKeyPath")?.code ?? "the key path") is never removed",
            at: file.place(call, "registered here"))
      case "addObserver" where labels.contains("selector"): return selector(call, file, project)
      case "addPeriodicTimeObserver", "addBoundaryTimeObserver":
        return isRemoved(call, ["removeTimeObserver"], project)
          ? nil
          : finding(
            "the time observer is never removed, so its block runs as long as the player lives",
            at: file.place(call, "registered here"))
      default: return nil
      }
    }
  }

  private func block(_ call: FunctionCallExprSyntax, _ file: SourceFile, _ project: Project) -> Finding? {
    let type = project.type(around: call)
    guard type?.livesWithApp != true, !isInStaticValue(call) else { return nil }
    // A block that retains its object is a cycle, which is another kind.
    if isObject(type), call.closures.first?.closure.strongSelf(in: project) != nil { return nil }
    switch project.destination(of: ExprSyntax(call)) {
    case .discarded:
      return finding(
        "the token of the observer is thrown away, so nothing can remove its block",
        at: file.place(call, "registered here"), severity: leavesIdleBlock(call, type) ? .note : nil)
    case .own(let name):
      if let property = project.property(name, of: type), !isToken(property) { return nil }
      guard !isRemoved(call, ["removeObserver"], project) else { return nil }
      return finding(
        "`\(name)` is never removed from the notification center, which keeps its block",
        at: file.place(call, "registered here"))
    case .shared, .elsewhere: return nil
    }
  }

  /// Whether an object leaves one block that does nothing more: the block holds the object weakly, and
  /// the object registers it once. A screen can make many views, such as cells.
  private func leavesIdleBlock(_ call: FunctionCallExprSyntax, _ type: TypeInfo?) -> Bool {
    guard let type, type.isReference, let closure = call.closures.first?.closure else { return false }
    let isWeak = closure.signature?.capture?.items.contains {
      $0.name.text == "self" && $0.specifier?.specifier.text == "weak"
    }
    let isView = type.inherited.contains { name in
      ["View", "Cell", "Control", "Button"].contains { name.hasSuffix($0) }
    }
    let once: Set = ["init", "loadView", "viewDidLoad", "windowDidLoad", "awakeFromNib"]
    return isWeak == true && !isView && once.contains(memberName(around: call))
  }

  /// A token of another type can remove the observer by itself.
  private func isToken(_ property: Property) -> Bool {
    let type = property.type
    return type.isEmpty
      || ["NSObjectProtocol", "Any", "NSObject", "AnyObject", "[]"].contains { type.contains($0) }
  }

  private func selector(_ call: FunctionCallExprSyntax, _ file: SourceFile, _ project: Project) -> Finding? {
    let caller = memberName(around: call)
    guard repeatedCalls.contains(caller), !isRemoved(call, ["removeObserver"], project) else { return nil }
    return finding(
      "each call of `\(caller)` registers once more, and nothing removes the observer",
      at: file.place(call, "registered here"))
  }

  /// Whether the type or the function around a registration removes observers.
  private func isRemoved(_ call: FunctionCallExprSyntax, _ names: Set<String>, _ project: Project) -> Bool {
    let blocks =
      project.type(around: call)?.blocks.map { Syntax($0) } ?? functionBody(around: call).map { [Syntax($0)] }
      ?? []
    return blocks.contains { block in
      block.descendants(DeclReferenceExprSyntax.self).contains { names.contains($0.baseName.text) }
    }
  }
}
