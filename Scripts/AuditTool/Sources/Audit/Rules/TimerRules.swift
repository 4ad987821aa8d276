import SwiftSyntax

/// A timer or display link that keeps its own object.
struct StrongTimerRule: Rule {
  let kind = "strong-self-timer"
  let consequence =
    "The screen stays in memory after it has closed, and its timer fires for as long as the app runs."
  let why = """
    The run loop keeps a repeating timer, and the timer keeps its target and its block. A deinitializer that would stop the timer never \
    runs.
    """
  let example = """
    final class Countdown {
      var timer: Timer?
      func start() {
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in self.tick() }
      }
      deinit { timer?.invalidate() }
    }
    """
  let repair = "`[weak self]`, or `CallbackScheduler`; stop the timer when the screen disappears"
  let repaired = """
    timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in self?.tick() }
    """
  let section = "A cancel that does not cancel"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard let timer = TimerCall(call, project), let type = project.type(around: call), isObject(type),
        !type.livesWithApp,
        let use = timer.strongSelf(in: project), !timer.stopsItself, !isStopped(timer, type, project)
      else { return nil }
      return finding(
        "the \(timer.noun) keeps `self` alive until it is stopped, and `self` stops it only in its deinitializer or never",
        at: file.place(use, "retains `self`"), [file.place(call, "started here")])
    }
  }

  private func isStopped(_ timer: TimerCall, _ type: TypeInfo, _ project: Project) -> Bool {
    guard case .own(let name) = timer.keeper(in: project) else { return false }
    return type.endsInTime(name, by: ["invalidate", "cancel"], startedIn: memberName(around: timer.call))
  }
}

/// A timer that is never stopped.
struct RunningTimerRule: Rule {
  let kind = "running-timer"
  let consequence =
    "The timer fires for as long as the app runs, and each visit of the screen adds another one."
  let why =
    "The run loop keeps a repeating timer until `invalidate()`. To release the reference does not stop it."
  let example = """
    func start() {
      Timer.scheduledTimer(withTimeInterval: 10, repeats: true) { [weak self] _ in self?.refresh() }
    }
    """
  let repair = "store the timer and invalidate it when the screen disappears, or a loop in a `TaskSlot`"
  let repaired = """
    func start() {
      timer?.invalidate()
      timer = Timer.scheduledTimer(withTimeInterval: 10, repeats: true) { [weak self] _ in self?.refresh() }
    }
    deinit { timer?.invalidate() }
    """
  let section = "A cancel that does not cancel"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard let timer = TimerCall(call, project), timer.isRunLoop, !timer.stopsItself else { return nil }
      let type = project.type(around: call)
      guard type?.livesWithApp != true, timer.strongSelf(in: project) == nil || !isObject(type) else {
        return nil
      }
      let starter = memberName(around: call)
      switch timer.keeper(in: project) {
      case .discarded:
        return finding(
          "the repeating \(timer.noun) is not kept, so nothing can stop it",
          at: file.place(call, "started here"))
      case .own(let name):
        guard let type,
          project.property(name, of: type)?.isTimer != false
            || project.property(name, of: type)?.type == "Any?"
        else { return nil }
        let ends = type.ends(of: name, by: ["invalidate"])
        if ends.isEmpty {
          return finding(
            "`\(name)` is never invalidated, so the \(timer.noun) does not stop",
            at: file.place(call, "started here"))
        }
        let isReplaced = ends.contains { $0.function == starter || $0.function == name }
        let endsInTime = ends.contains { $0.function != "deinit" }
        guard repeatedCalls.contains(starter), !isReplaced, !endsInTime, !isGuarded(call, name) else {
          return nil
        }
        return finding(
          "each call of `\(starter)` starts one more \(timer.noun), and only the last one can be stopped",
          at: file.place(call, "started here"))
      case .shared, .elsewhere: return nil
      }
    }
  }

  /// Whether the timer starts only if there is none.
  private func isGuarded(_ call: FunctionCallExprSyntax, _ name: String) -> Bool {
    guard let body = functionBody(around: call) else { return false }
    return body.descendants(ConditionElementSyntax.self).contains { $0.code.contains("\(name) == nil") }
  }
}

/// A call that makes a repeating timer.
struct TimerCall {
  let call: FunctionCallExprSyntax
  let noun: String
  /// Whether the run loop keeps the timer.
  let isRunLoop: Bool
  private let block: ClosureExprSyntax?
  private let target: ExprSyntax?

  init?(_ call: FunctionCallExprSyntax, _ project: Project) {
    let name = call.name
    let labels = Set(call.arguments.compactMap { $0.label?.text })
    if name == "scheduledTimer"
      || (["Timer", "init"].contains(name) && (labels.contains("repeats") || labels.contains("fire")))
    {
      guard call.argument("repeats")?.code != "false" else { return nil }
      block = call.closures.first?.closure
      (noun, isRunLoop, target) = ("timer", true, call.argument("target"))
    } else if name == "CADisplayLink", let target = call.argument("target") {
      (noun, isRunLoop, block, self.target) = ("display link", true, nil, target)
    } else if ["setEventHandler", "setRegistrationHandler"].contains(name),
      let closure = call.closures.first?.closure,
      TimerCall.isTimerSource(call, project)
    {
      (noun, isRunLoop, block, target) = ("timer", false, closure, nil)
    } else {
      return nil
    }
    self.call = call
  }

  private static func isTimerSource(_ call: FunctionCallExprSyntax, _ project: Project) -> Bool {
    guard let receiver = call.receiver, let path = Path(receiver) else { return false }
    if path.isMember, let property = project.property(path.first, of: project.type(around: call)) {
      return property.isTimer || property.initialValue?.code.contains("makeTimerSource") == true
    }
    return localDeclaration(of: path.first, at: receiver)?.code.contains("makeTimerSource") == true
  }

  func strongSelf(in project: Project) -> Syntax? {
    if let target { return target.code == "self" && !isWeakSelf(at: target) ? Syntax(target) : nil }
    return block?.strongSelf(in: project)
  }

  func keeper(in project: Project) -> Keeper {
    if call.name == "setEventHandler", let receiver = call.receiver { return project.keeper(of: receiver) }
    if let binding = call.parent?.parent?.as(PatternBindingSyntax.self), isOnlyScheduled(binding) {
      return .discarded
    }
    return project.destination(of: ExprSyntax(call))
  }

  /// Whether a local timer is only added to a run loop or configured.
  private func isOnlyScheduled(_ binding: PatternBindingSyntax) -> Bool {
    guard let scope = binding.ancestor(CodeBlockItemListSyntax.self) else { return false }
    let name = binding.pattern.code
    return scope.descendants(DeclReferenceExprSyntax.self).allSatisfy { reference in
      guard reference.baseName.text == name, reference.position > binding.endPosition else { return true }
      if let member = reference.parent?.as(MemberAccessExprSyntax.self) {
        return ["tolerance", "fire", "add", "preferredFramesPerSecond"].contains(
          member.declName.baseName.text)
      }
      let outer = reference.parent?.as(LabeledExprSyntax.self)?.parent?.parent?.as(
        FunctionCallExprSyntax.self)
      return outer?.name == "add" && outer?.receiver?.code.contains("RunLoop") == true
    }
  }

  /// Whether the block invalidates its timer.
  var stopsItself: Bool {
    block?.descendants(MemberAccessExprSyntax.self).contains {
      ["invalidate", "cancel"].contains($0.declName.baseName.text)
    } == true
  }
}
