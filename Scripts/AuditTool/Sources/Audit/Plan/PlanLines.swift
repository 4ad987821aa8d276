import SwiftSyntax

/// A line of a file.
struct PlanSpot: Hashable {
  let path: String
  let line: Int
}

/// The lines of a view model that the steps touch.
struct TouchedLines {
  /// The properties that make the state, without those that observers name.
  private(set) var state: [String] = []
  private(set) var stateLines: Set<PlanSpot> = []
  private(set) var publishingLines: Set<PlanSpot> = []
  private(set) var isolationLines: Set<PlanSpot> = []
  private(set) var isolationNames: [String] = []
  /// The calls of completion handlers.
  private(set) var waiting: Set<PlanSpot> = []
  private(set) var waitingLines: Set<PlanSpot> = []
  private(set) var callerLines: Set<PlanSpot> = []
  /// Whether tasks continue on any thread after an await, and can change it there.
  private(set) var hasTasksOnAnyThread = false
  /// The services outside of the files that it calls with completion handlers.
  private(set) var foreignServices: Set<String> = []
  /// The functions to which it passes requests with completion handlers, such as `dispatch`.
  private(set) var dispatchers: Set<String> = []
  /// The recipes that its parts need.
  private(set) var recipes: [String] = []

  init(_ unit: PlanBuilder.Unit, _ builder: PlanBuilder) {
    let type = unit.types[0], project = builder.project
    let forms = project.forms(of: type)
    let published = Set(
      forms.filter { ![.async, .actor, .observable, .plain, .callbackState, .stateSource].contains($0.form) }
        .flatMap(\.members))
    let names = builder.names
    var services: [String: String] = [:]
    for property in type.properties.values.sorted(by: { $0.name < $1.name }) where !property.isStatic {
      let unitNames = names.in(property.plainType).compactMap { builder.unitOfName[$0] }
      if let service = unitNames.first(where: { builder.units[$0]?.isService == true }) {
        services[property.name] = service
      } else if published.contains(property.name) {
        continue
      } else if property.isStored, property.name != "state", !property.isLet, !property.isClosure,
        !property.isWeak, !property.isLock,
        !property.isQueue, !property.isGroup, !property.isSemaphore, !property.isTask, !property.isTimer,
        !property.isWorkItem, !Self.isHandle(property.plainType), unitNames.isEmpty,
        project.holdsValue(property)
      {
        state.append(property.name)
      }
    }
    var isolation: [String: Int] = [:], recipes: Set<String> = []
    var called: Set<String> = []
    for use in builder.usesByOwner[type.name] ?? [] {
      for name in use.types {
        guard let unit = builder.unitOfName[name], let service = builder.units[unit], service.isService,
          service.answers.contains(where: { $0.name == use.member && $0.answer == .handler })
        else { continue }
        // A function with both forms is awaited without a closure.
        let hasBoth = service.answers.contains { $0.name == use.member && $0.answer == .async }
        if hasBoth && !use.hasClosure { continue }
        waiting.insert(PlanSpot(path: use.path, line: use.lines.lowerBound))
        for line in use.lines { waitingLines.insert(PlanSpot(path: use.path, line: line)) }
        called.insert(unit)
      }
    }
    // A closure that makes a service or its request, such as a factory.
    let factories = services.filter { name, service in
      !called.contains(service) && type.properties[name]?.isClosure == true
        && builder.units[service]?.answers.contains { $0.answer == .handler } == true
    }
    let foreign = type.properties.compactMapValues { builder.foreignServices(in: $0.plainType).first }
    for block in type.blocks {
      guard let file = builder.file(of: block) else { continue }
      func spots(_ node: some SyntaxProtocol) -> [PlanSpot] {
        file.lines(of: node).map { PlanSpot(path: file.path, line: $0) }
      }
      for variable in block.descendants(VariableDeclSyntax.self)
      where variable.parent?.is(MemberBlockItemSyntax.self) == true {
        for binding in variable.bindings {
          let name = binding.pattern.code
          guard let property = type.properties[name] else { continue }
          if state.contains(name) { stateLines.formUnion(spots(binding)) }
          if published.contains(name) { publishingLines.formUnion(spots(binding)) }
          if property.isQueue || property.isLock || property.plainType.contains("DispatchQueue") {
            isolationLines.formUnion(spots(binding))
            isolation[property.isLock ? "lock" : "queue", default: 0] += 1
          }
          if property.isGroup { recipes.insert(Recipe.parallel.link) }
          if property.isTimer { recipes.insert(Recipe.timers.link) }
          if property.isWorkItem || property.plainType.contains("Debouncer") {
            recipes.insert(Recipe.typing.link)
          }
        }
      }
      for reference in block.descendants(DeclReferenceExprSyntax.self) {
        let name = reference.baseName.text
        let isState = state.contains(name), isPublished = published.contains(name)
        let isFactory = factories[name] != nil && reference.parent?.is(FunctionCallExprSyntax.self) == true
        guard isState || isPublished || isFactory else { continue }
        let outer = reference.parent?.as(MemberAccessExprSyntax.self)
        let isMember =
          outer == nil || outer!.base?.id == ExprSyntax(reference).id || outer!.base?.code == "self"
          || outer!.base?.code == "self?"
        guard isMember else { continue }
        let spot = spots(reference)[0]
        if isState { stateLines.insert(spot) }
        if isPublished { publishingLines.insert(spot) }
        if isFactory {
          waiting.insert(spot)
          let body = reference.ancestor(FunctionDeclSyntax.self)?.body
          if let body { waitingLines.formUnion(spots(body)) } else { waitingLines.insert(spot) }
        }
      }
      for call in block.descendants(FunctionCallExprSyntax.self) {
        let callee = call.callee
        if callee == "Task", !project.isMainActor(type),
          call.closures.contains(where: { !$0.closure.descendants(AwaitExprSyntax.self).isEmpty })
        {
          hasTasksOnAnyThread = true
        }
        if callee == "DispatchGroup" { recipes.insert(Recipe.parallel.link) }
        if callee == "DispatchWorkItem" { recipes.insert(Recipe.typing.link) }
        guard let receiver = call.receiver, receiver.trimmedLength.utf8Length < 200 else { continue }
        let text = receiver.code, lower = text.lowercased()
        let object = text.filter { $0 != "?" && $0 != "!" }.replacing("self.", with: "")
        if let service = foreign[object], project.takesHandler(call) {
          waiting.insert(spots(call.calledExpression)[0])
          waitingLines.formUnion(spots(call))
          foreignServices.insert(service)
        } else if call.dispatchesHandler {
          waiting.insert(spots(call.calledExpression)[0])
          waitingLines.formUnion(spots(call))
          dispatchers.insert(call.name)
        }
        let last = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.last.map(String.init) ?? ""
        let isQueue =
          lower.contains("queue")
          && type.properties[last].map { $0.isQueue || $0.plainType.contains("Queue") }
            != false
        let isLock = type.properties[last]?.isLock == true
        if ["async", "sync", "asyncAfter"].contains(call.name), isQueue {
          let isMain = lower.contains("main")
          isolation[isMain ? "main.async" : "queue.\(call.name)", default: 0] += 1
          isolationLines.insert(spots(call.calledExpression)[0])
        } else if isLock, ["lock", "unlock", "withLock", "withLockUnchecked"].contains(call.name) {
          isolation["lock", default: 0] += 1
          isolationLines.insert(spots(call)[0])
        }
      }
    }
    isolationNames = isolation.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    self.recipes = recipes.sorted()
    let own = Set(unit.types.map(\.name)).union(unit.names)
    for use in unit.names.flatMap({ builder.usesByType[$0] ?? [] }) where !own.contains(use.owner) {
      callerLines.insert(PlanSpot(path: use.path, line: use.lines.lowerBound))
    }
  }

  /// Whether a value stands for running work, or for its end.
  private static func isHandle(_ type: String) -> Bool {
    [
      "Cancellable", "DataSource", "DisposeBag", "Disposable", "Token", "RequestSlot", "TaskSlot",
      "Task",
    ]
    .contains { type.hasSuffix($0) } || type.contains("Cancellable")
  }
}
