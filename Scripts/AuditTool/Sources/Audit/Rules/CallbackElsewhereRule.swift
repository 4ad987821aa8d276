import SwiftSyntax

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
  let severities: [Severity] = [.hazard, .note]
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
      guard let use = isolatedUse(in: closure.statements, project) else { continue }
      findings.append(
        finding(
          "`\(api)` calls back on a queue of its own, and the closure uses `\(use.name)` of the main actor",
          at: file.place(use.node, "runs off the main actor"), [file.place(closure, "called by `\(api)`")],
          // Most notifications are posted on the main thread.
          severity: api.hasPrefix("addObserver") ? .note : .hazard))
    }
    findings += viewUses(file, in: project) + delegateCalls(file, in: project)
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
            at: file.place(argument, "called outside of the main actor")))
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
  func backgroundAPI(of closure: ClosureExprSyntax, _ project: Project) -> String? {
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
  func isolatedUse(
    in statements: CodeBlockItemListSyntax, _ project: Project,
    where isWanted: (String) -> Bool = { _ in true }
  ) -> (node: Syntax, name: String)? {
    let type = project.type(around: statements)
    var found: (Syntax, String)?
    func search(_ node: Syntax) {
      if found != nil { return }
      if let inner = node.as(ClosureExprSyntax.self) {
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
        if let use = memberUse(reference), isWanted(use) {
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
      let isKnown =
        project.property(name, of: type) != nil || !project.functions(name, of: type).isEmpty
        || inheritedViewMembers.contains(name)
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
    search(Syntax(statements))
    return found
  }
}
