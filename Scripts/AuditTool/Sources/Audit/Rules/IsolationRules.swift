import SwiftSyntax

/// `assumeIsolated` in code whose queue is not known.
struct AssumedIsolationRule: Rule {
  let kind = "assumed-isolation"
  let consequence = "The app crashes as soon as the callback arrives on another thread."
  let why = "`assumeIsolated` ends the process if the code does not run on the actor."
  let example = """
    session.dataTask(with: url) { data, _, _ in
      MainActor.assumeIsolated { self.render(data) }
    }
    """
  let repair = "`await`, `Task { @MainActor in … }`, or `observe(on:_:)`"
  let repaired = "Task { @MainActor in self.render(data) }"
  let section = "Assumed isolation in async code"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard call.name == "assumeIsolated", call.callee == "MainActor.assumeIsolated",
        let reason = reason(call, project)
      else { return nil }
      return finding(
        "`MainActor.assumeIsolated` \(reason)", at: file.place(call, "ends the process off the main actor"))
    }
  }

  private func reason(_ call: FunctionCallExprSyntax, _ project: Project) -> String? {
    if asksForMainThread(Syntax(call), project) { return nil }
    for node in call.ancestors {
      if let closure = node.as(ClosureExprSyntax.self) {
        if let list = closure.signature?.attributes, attributeNames(list).contains("MainActor") { return nil }
        if isOnMain(closure) { return nil }
        switch closure.use {
        case .once, .many: continue
        case .task(let isDetached):
          if isDetached { return "runs in a detached task" }
          if project.isolation(of: closure) == .mainActor { return nil }
          return "runs in a task that is not on the main actor"
        case .later:
          if callsBackOnMain(closure, project) || promisesMain(closure) { return nil }
          return "runs in a callback, and nothing says on which queue it arrives"
        }
      }
      if let function = node.as(FunctionDeclSyntax.self) {
        if attributeNames(function.attributes).contains("MainActor") { return nil }
        if function.signature.effectSpecifiers?.asyncSpecifier != nil,
          project.isolation(of: call) != .mainActor
        {
          return "runs in an async function that is not on the main actor"
        }
        let isNonisolated = function.modifiers.contains { $0.name.text == "nonisolated" }
        if !isNonisolated, project.isolation(of: call) == .mainActor { return nil }
        let name = function.name.text
        // The delegates of UIKit and AppKit are called on the main thread.
        let parameters = function.signature.parameterClause.parameters
        if let first = parameters.first?.type.code,
          first.hasPrefix("UI") || first.hasPrefix("NS") && !first.hasPrefix("NSURL") || first.hasPrefix("WK")
            || first.hasPrefix("MK")
        {
          return nil
        }
        return "in `\(name)` depends on the queue of the caller"
      }
      if node.is(AccessorDeclSyntax.self) || node.is(PatternBindingSyntax.self) {
        if node.parent?.parent?.is(VariableDeclSyntax.self) == true || node.is(AccessorDeclSyntax.self) {
          if project.isolation(of: call) == .mainActor { return nil }
          if project.type(around: call) != nil { return "in an accessor depends on the queue of the caller" }
        }
      }
      if node.is(DeinitializerDeclSyntax.self) { return "runs in `deinit`, which can be on any thread" }
      if node.is(InitializerDeclSyntax.self) {
        return project.isolation(of: call) == .mainActor
          ? nil : "in `init` depends on the queue of the caller"
      }
    }
    return nil
  }
}

extension AssumedIsolationRule {
  /// Whether the project shows that an object calls back on the main queue: its function names the
  /// queue, or the queue is a default of its initializer that the object is made with.
  private func callsBackOnMain(_ closure: ClosureExprSyntax, _ project: Project) -> Bool {
    guard let call = closure.call?.call, let path = call.receiver.flatMap({ Path($0) }), path.names.count == 1
    else { return false }
    let scope = project.type(around: call)
    let value =
      path.isMember
      ? project.property(path.first, of: scope)?.initialValue
      : localDeclaration(of: path.first, at: call)?.as(PatternBindingSyntax.self)?.initializer?.value
    guard let made = value?.as(FunctionCallExprSyntax.self),
      let type = project.type(named: made.callee, in: scope)
    else { return false }
    let namesMain = project.functions(call.name, of: type).contains { function in
      function.body?.descendants(LabeledExprSyntax.self).contains { isMainQueue($0.expression) } == true
    }
    return namesMain
      || type.initializers.contains { initializer in
        initializer.signature.parameterClause.parameters.contains { parameter in
          parameter.defaultValue.map { isMainQueue($0.value) } == true
            && made.argument(parameter.firstName.text) == nil
        }
      }
  }

  /// Whether the comment of the function around a closure promises the main queue.
  private func promisesMain(_ closure: ClosureExprSyntax) -> Bool {
    let comment = member(around: closure)?.leadingTrivia.description.lowercased() ?? ""
    return ["only", "arrive", "arrives", "called"].contains { comment.contains("\($0) on the main ") }
  }
}

/// Whether an API calls a closure on the main thread.
func isOnMain(_ closure: ClosureExprSyntax) -> Bool {
  guard let call = closure.call?.call else {
    return assignedTo(closure).map { startsOnMain($0, closure) } ?? false
  }
  let callee = call.callee
  if callee.hasPrefix("DispatchQueue.main.") || callee.hasPrefix("OperationQueue.main.")
    || callee.hasPrefix("RunLoop.main.")
  {
    return true
  }
  if callee == "MainActor.run" || callee == "MainActor.assumeIsolated" { return true }
  if ["scheduledTimer"].contains(call.name) || callee == "Timer" || callee == "CADisplayLink" { return true }
  if call.arguments.contains(where: {
    ["queue", "on", "scheduler", "to"].contains($0.label?.text ?? "") && isMainQueue($0.expression)
  }) {
    return true
  }
  if [
    "animate", "present", "dismiss", "transition", "performBatchUpdates", "addAction", "UIAction",
    "UIAlertAction",
  ].contains(call.name) {
    return true
  }
  if ["setEventHandler", "setCancelHandler", "setRegistrationHandler"].contains(call.name),
    let source = call.receiver.flatMap({ Path($0) }), isMadeOnMain(source, closure)
  {
    return true
  }
  // `publisher.receive(on: DispatchQueue.main).sink { … }`
  var node = call.receiver
  while let current = node {
    guard
      let inner = current.as(FunctionCallExprSyntax.self)
        ?? current.as(MemberAccessExprSyntax.self)?.base?.as(FunctionCallExprSyntax.self)
    else { break }
    if inner.name == "receive" || inner.name == "debounce" || inner.name == "throttle",
      inner.arguments.contains(where: { isMainQueue($0.expression) })
    {
      return true
    }
    if inner.callee == "Timer.publish" { return true }
    node = inner.receiver
  }
  return false
}

/// The property to which a closure is assigned: `monitor.pathUpdateHandler = { … }`.
func assignedTo(_ closure: ClosureExprSyntax) -> MemberAccessExprSyntax? {
  guard let elements = closure.parent?.as(ExprListSyntax.self), elements.count == 3,
    elements.last?.id == ExprSyntax(closure).id
  else { return nil }
  return elements.first?.as(MemberAccessExprSyntax.self)
}

/// Whether the object whose handler is set is started on the main queue in the same type:
/// `monitor.start(queue: .main)`.
private func startsOnMain(_ target: MemberAccessExprSyntax, _ closure: ClosureExprSyntax) -> Bool {
  guard let base = target.base.flatMap({ Path($0) }) else { return false }
  let group = closure.ancestors.first { declGroup($0) != nil } ?? closure.root
  return group.descendants(FunctionCallExprSyntax.self).contains {
    $0.name.hasPrefix("start") && $0.receiver.flatMap { Path($0)?.last } == base.last
      && $0.argument("queue").map(isMainQueue) == true
  }
}

/// Whether a dispatch source is made for the main queue in the same type:
/// `timer = DispatchSource.makeTimerSource(queue: .main)`.
private func isMadeOnMain(_ source: Path, _ closure: ClosureExprSyntax) -> Bool {
  let group = closure.ancestors.first { declGroup($0) != nil } ?? closure.root
  let made = group.descendants(FunctionCallExprSyntax.self).filter { call in
    guard call.name.hasPrefix("make"), call.name.hasSuffix("Source") else { return false }
    let target = call.parent?.as(ExprListSyntax.self)?.first.flatMap { Path($0)?.last }
    return (target ?? call.ancestor(PatternBindingSyntax.self)?.pattern.code) == source.last
  }
  return !made.isEmpty && made.allSatisfy { $0.argument("queue").map(isMainQueue) == true }
}

func isMainQueue(_ expression: ExprSyntax) -> Bool {
  let code = expression.code
  return [
    ".main", "DispatchQueue.main", "OperationQueue.main", "RunLoop.main", "UIScheduler.shared",
    "ImmediateScheduler.shared",
  ].contains(code)
}

/// The calls of SDKs that call back on a queue of their own.
///
/// `nil` for the receiver means that the name is unique enough.
private let backgroundCalls: [(name: String, receiver: String?)] = [
  ("dataTask", nil), ("downloadTask", nil), ("uploadTask", nil), ("webSocketTask", nil), ("sendPing", nil),
  ("reverseGeocodeLocation", nil), ("geocodeAddressString", nil), ("geocodeAddressDictionary", nil),
  ("geocodePostalAddress", nil),
  ("requestAuthorization", nil), ("getNotificationSettings", nil), ("getPendingNotificationRequests", nil),
  ("getDeliveredNotifications", nil), ("requestAccess", nil), ("requestFullAccessToEvents", nil),
  ("requestWriteOnlyAccessToEvents", nil),
  ("evaluatePolicy", nil), ("evaluateAccessControl", nil), ("performChanges", nil),
  ("requestRecordPermission", nil),
  ("requestImage", "manager"), ("loadObject", nil), ("loadItem", nil), ("loadDataRepresentation", nil),
  ("loadFileRepresentation", nil),
  ("loadInPlaceFileRepresentation", nil), ("startUpdates", nil), ("queryPedometerData", nil),
  ("queryActivityStarting", nil),
  ("performBackgroundTask", nil), ("recognitionTask", nil), ("exportAsynchronously", nil),
  ("loadValuesAsynchronously", nil),
  ("HKSampleQuery", nil), ("HKObserverQuery", nil), ("HKAnchoredObjectQuery", nil),
  ("HKStatisticsQuery", nil),
  ("fetchUserRecordID", nil), ("accountStatus", nil), ("fetchAllRecordZones", nil), ("getRequest", nil),
  ("generateCGImagesAsynchronously", nil), ("generateCGImageAsynchronously", nil), ("prepareToPlay", "asset"),
  ("requestAccessForMediaType", nil),
  ("fetchAllAppGroups", nil), ("sendMessage", "session"), ("generateBestRepresentation", nil),
  ("isEligibleForIntroOffer", nil),
  ("requestReview", "never"), ("requestTemporaryFullAccuracyAuthorization", nil),
  ("requestContentEditingInput", nil),
  ("requestExclusiveAccess", nil), ("performAccessibilityAudit", "never"), ("getAllTasks", nil),
  ("getTasksWithCompletionHandler", nil),
]

/// The properties of SDK objects that hold a closure, which is called on another queue.
private let backgroundHandlers: Set = [
  "pathUpdateHandler", "stateUpdateHandler", "newConnectionHandler", "terminationHandler",
  "readabilityHandler", "viabilityUpdateHandler",
  "interruptionHandler", "resultsHandler", "statisticsUpdateHandler", "initialResultsHandler",
  "browseResultsChangedHandler",
]

/// A closure of main-actor code that an SDK calls on another queue.
struct CallbackElsewhereRule: Rule {
  let kind = "callback-elsewhere"
  let consequence = "The app crashes in Swift 6, or changes the screen from a background thread."
  let why = """
    A closure in main-actor code is isolated to the main actor. An SDK that calls it on a queue of its own breaks that promise, and the \
    compiler cannot see it.
    """
  let example = """
    @MainActor func request() {
      AVCaptureDevice.requestAccess(for: .video) { granted in
        self.isAllowed = granted
      }
    }
    """
  let repair =
    "the async form of the call, or a `@Sendable` closure that goes back with `Task { @MainActor in … }`"
  let repaired = """
    @MainActor func request() async {
      isAllowed = await AVCaptureDevice.requestAccess(for: .video)
    }
    """
  let section = "Main-queue assumptions"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    var findings: [Finding] = []
    for closure in file.all(ClosureExprSyntax.self) {
      guard let api = backgroundAPI(of: closure, project) else { continue }
      guard touchesMain(closure, project) else { continue }
      if let list = closure.signature?.attributes, attributeNames(list).contains("Sendable") { continue }
      guard let use = isolatedUse(in: closure, project) else { continue }
      findings.append(
        finding(
          "`\(api)` calls back on a queue of its own, and the closure uses `\(use.name)` of the main actor",
          at: file.place(use.node, "runs off the main actor"), [file.place(closure, "called by `\(api)`")],
          // Most notifications are posted on the main thread.
          severity: api.hasPrefix("addObserver") ? .note : .hazard))
    }
    // A method of the main actor as the callback.
    for call in file.all(FunctionCallExprSyntax.self) {
      guard isBackground(call), project.isolation(of: call) == .mainActor else { continue }
      for argument in call.arguments {
        guard let path = Path(argument.expression), path.isMember, path.names.count == 1,
          let label = argument.label?.text.lowercased(),
          label.contains("handler") || label.contains("completion"),
          let function = project.functions(path.first, of: project.type(around: call)).first,
          !function.modifiers.contains(where: { $0.name.text == "nonisolated" })
        else { continue }
        findings.append(
          finding(
            "`\(call.name)` calls `\(path.first)` of the main actor on a queue of its own",
            at: file.place(argument, "called off the main actor")))
      }
    }
    return findings
  }

  /// Whether the code around a closure is on the main actor, or in a type that only the main thread
  /// may use.
  private func touchesMain(_ closure: ClosureExprSyntax, _ project: Project) -> Bool {
    if project.isolation(of: closure) == .mainActor { return true }
    for node in closure.ancestors {
      if let outer = node.as(ClosureExprSyntax.self) {
        if isOnMain(outer) { return true }
        if backgroundAPI(of: outer, project) != nil { return false }
      }
    }
    guard let type = project.type(around: closure) else { return false }
    return project.isMainActor(type)
      || type.properties.values.contains { $0.attributes.contains("Published") }
  }

  private func isBackground(_ call: FunctionCallExprSyntax) -> Bool {
    backgroundCalls.contains { name, receiver in
      call.name == name && (receiver == nil || call.receiver?.code.lowercased().contains(receiver!) == true)
    }
  }

  /// The API that calls a closure on a queue of its own.
  private func backgroundAPI(of closure: ClosureExprSyntax, _ project: Project) -> String? {
    if let (call, _) = closure.call {
      if call.arguments.contains(where: {
        ["queue", "on", "to", "callbackQueue"].contains($0.label?.text ?? "") && isMainQueue($0.expression)
      }) {
        return nil
      }
      if call.name == "addObserver", let queue = call.argument("queue"), call.argument("forName") != nil {
        return queue.code == "nil"
          ? "addObserver(forName:object:queue: nil)" : queue.code == "OperationQueue()" ? "addObserver" : nil
      }
      if call.name.hasPrefix("start"), call.name.contains("Updates"), let queue = call.argument("to") {
        return isMainQueue(queue) ? nil : call.name
      }
      if isBackground(call) {
        // `URLSession(configuration:delegate:delegateQueue: .main)`
        let receiver = call.receiver.flatMap { Path($0) }
        let made =
          receiver.flatMap {
            project.property($0.first, of: project.type(around: closure))?.initialValue?.code
          } ?? call.receiver?.code ?? ""
        return made.contains("delegateQueue: .main") || made.contains("delegateQueue: OperationQueue.main")
          ? nil : call.name
      }
      return nil
    }
    // `monitor.pathUpdateHandler = { … }`
    guard let target = assignedTo(closure), backgroundHandlers.contains(target.declName.baseName.text),
      !startsOnMain(target, closure)
    else { return nil }
    return target.declName.baseName.text
  }

  /// The first use of the main actor's state that does not hop to the main actor.
  private func isolatedUse(in closure: ClosureExprSyntax, _ project: Project) -> (node: Syntax, name: String)?
  {
    let type = project.type(around: closure)
    var found: (Syntax, String)?
    func search(_ node: Syntax) {
      if found != nil { return }
      if let inner = node.as(ClosureExprSyntax.self), inner.id != closure.id {
        if isOnMain(inner) { return }
        if case .task = inner.use { return }
        if let list = inner.signature?.attributes, attributeNames(list).contains("MainActor") { return }
      }
      if let call = node.as(FunctionCallExprSyntax.self),
        call.callee == "MainActor.run" || call.callee.hasSuffix("main.async")
      {
        return
      }
      if node.kind == .awaitExpr { return }
      if let reference = node.as(DeclReferenceExprSyntax.self) {
        if let use = memberUse(reference) {
          found = (Syntax(reference), use)
          return
        }
      }
      for child in node.children(viewMode: .sourceAccurate) where child.kind != .token { search(child) }
    }
    func memberUse(_ reference: DeclReferenceExprSyntax) -> String? {
      let name = reference.baseName.text
      if let member = reference.parent?.as(MemberAccessExprSyntax.self), member.declName.id == reference.id {
        guard let base = member.base, let path = Path(base), path.names == ["self"], !path.isMember else {
          return nil
        }
        return isIsolated(name) ? name : nil
      }
      // A view that the capture list names.
      if let capture = localDeclaration(of: name, at: reference)?.as(ClosureCaptureSyntax.self),
        capture.initializer == nil,
        let property = project.property(name, of: type),
        property.plainType.hasPrefix("UI") || property.plainType.hasPrefix("NSView")
      {
        return name
      }
      guard name != "self", !name.hasPrefix("$"), localDeclaration(of: name, at: reference) == nil else {
        return nil
      }
      let isKnown = project.property(name, of: type) != nil || !project.functions(name, of: type).isEmpty
      return isKnown && isIsolated(name) ? name : nil
    }
    func isIsolated(_ name: String) -> Bool {
      if let property = project.property(name, of: type) {
        return !property.modifiers.contains("nonisolated")
          && !(property.isLet && property.isStored && !property.plainType.hasPrefix("UI")
            && !property.plainType.hasPrefix("NSView"))
      }
      if let function = project.functions(name, of: type).first {
        return !function.modifiers.contains { $0.name.text == "nonisolated" }
      }
      return true
    }
    search(Syntax(closure.statements))
    return found
  }
}

/// Code that blocks a thread which others need.
struct BlockingWaitRule: Rule {
  let kind = "blocking-wait"
  let consequence = "The screen freezes, or all tasks of the app stop."
  let why =
    "The main thread and the few threads of tasks may not wait: the work that would end the wait can need the same thread."
  let example = """
    func user() -> User? {
      let done = DispatchSemaphore(value: 0)
      Task { user = await load(); done.signal() }
      done.wait()
      return user
    }
    """
  let repair = "`await`, or `concurrentMap(limit:)` instead of a counting semaphore"
  let repaired = "func user() async -> User? { await load() }"
  let section = "Thread explosion"

  func check(_ file: SourceFile, in project: Project) -> [Finding] {
    if file.imports("XCTest") { return [] }
    return file.all(FunctionCallExprSyntax.self).compactMap { call in
      guard let what = blocking(call, project) else { return nil }
      if call.ancestors.prefix(while: { !$0.is(CodeBlockItemSyntax.self) }).contains(where: {
        $0.is(AwaitExprSyntax.self)
      }) {
        return nil
      }
      guard let reason = reason(call, project) else { return nil }
      return finding("`\(what)` blocks \(reason)", at: file.place(call, "waits here"))
    }
  }

  private func blocking(_ call: FunctionCallExprSyntax, _ project: Project) -> String? {
    if ["sleep", "usleep", "nanosleep"].contains(call.name) {
      let callee = call.callee
      if callee == "Thread.sleep" { return callee }
      if callee == call.name, project.functions(callee, of: project.type(around: call)).isEmpty {
        return callee
      }
    }
    if call.name == "wait" || call.name == "waitUntilAllOperationsAreFinished"
      || call.name == "waitUntilFinished"
    {
      if call.name != "wait" { return call.name }
      guard let receiver = call.receiver, let path = Path(receiver) else { return nil }
      if call.arguments.contains(where: {
        $0.expression.code == ".now()" || $0.expression.code == "DispatchTime.now()"
      }) {
        return nil
      }
      let name = path.last.lowercased()
      if path.isMember, path.names.count == 1,
        let property = project.property(path.first, of: project.type(around: call))
      {
        return property.isSemaphore || property.isGroup || property.plainType == "NSCondition"
          ? "\(path.text).wait" : nil
      }
      if !path.isMember,
        let local = localDeclaration(of: path.first, at: call)?.as(PatternBindingSyntax.self),
        let value = local.initializer?.value.code
      {
        return ["DispatchSemaphore", "DispatchGroup", "NSCondition"].contains { value.hasPrefix($0) }
          ? "\(path.text).wait" : nil
      }
      return name.contains("semaphore") || name == "group" || name == "dispatchgroup"
        ? "\(path.text).wait" : nil
    }
    return nil
  }

  private func reason(_ call: FunctionCallExprSyntax, _ project: Project) -> String? {
    for node in call.ancestors {
      if let closure = node.as(ClosureExprSyntax.self) {
        if isOnMain(closure) { return "the main thread" }
        switch closure.use {
        case .once:
          if closure.call?.call.name == "sync" { break }
          continue
        case .many: continue
        case .task: return "a thread of the tasks' pool"
        case .later:
          if ["addTask", "addTaskUnlessCancelled", "task", "refreshable"].contains(
            closure.call?.call.name ?? "")
          {
            return "a thread of the tasks' pool"
          }
          return nil
        }
      }
      if let function = node.as(FunctionDeclSyntax.self) {
        if function.signature.effectSpecifiers?.asyncSpecifier != nil { return "a thread of the tasks' pool" }
        break
      }
    }
    switch project.isolation(of: call) {
    case .mainActor, .mainQueue: return "the main thread"
    case .actor: return "the actor and a thread of the tasks' pool"
    case .concurrent, .queue: return nil
    case .unknown: break
    }
    // A synchronous function that waits for a task or for the main queue.
    guard let function = call.ancestor(FunctionDeclSyntax.self) ?? nil,
      let receiver = call.receiver.flatMap({ Path($0) })
    else { return nil }
    for closure in function.descendants(ClosureExprSyntax.self) {
      let signals = closure.descendants(FunctionCallExprSyntax.self).contains {
        ["signal", "leave"].contains($0.name) && $0.receiver.flatMap { Path($0)?.text } == receiver.text
      }
      guard signals else { continue }
      if case .task = closure.use { return "until a task runs, which can need this thread" }
      if isOnMain(closure) { return "until the main queue runs, which can be this thread" }
    }
    return nil
  }
}
