import SwiftSyntax

extension PlanBuilder {
  /// Finds all parts but the order. Returns the names of the types, the used before their users.
  func fill(_ plan: inout Plan) -> [String] {
    let (cycles, leafFirst) = layers()
    let all = units.values.sorted { $0.name < $1.name }
    plan.viewModels = all.filter { !$0.isService }.map(viewModel)
    plan.services = all.filter(\.isService).map(service)
    plan.cycles = cycles
    plan.hazards = hazardCount
    plan.screens = screens.count
    plan.values = project.types.values.filter {
      $0.kind == .struct && $0.name.hasSuffix("ViewModel") && !screens.contains($0.name)
    }.map(\.name).sorted()
    plan.isScreenWaiting = screens.contains { screen in
      (usesByOwner[screen] ?? []).contains { service(calledBy: $0)?.answer == .handler }
    }
    plan.callingScreens = screens.sorted().compactMap { screen in
      let calls = Set((usesByOwner[screen] ?? []).filter { service(calledBy: $0) != nil }.map(\.lines))
      return calls.isEmpty ? nil : Plan.FileLines(path: screen, lines: calls.count)
    }.sorted { ($1.lines, $0.path) < ($0.lines, $1.path) }
    plan.unseen = unseen(plan)
    return leafFirst
  }

  /// The service whose function code calls.
  private func service(calledBy use: PlanIndex.Use) -> (unit: Unit, answer: Answer)? {
    for type in use.types {
      guard let name = unitOfName[type], let unit = units[name], unit.isService else { continue }
      let answers = unit.answers.filter { $0.name == use.member }.map(\.answer)
      guard let first = answers.first else { continue }
      return (unit, use.hasClosure && answers.contains(.handler) ? .handler : first)
    }
    return nil
  }

  // MARK: View models

  private func viewModel(_ unit: Unit) -> Plan.ViewModel {
    let type = unit.types[0], place = place(of: unit)
    let forms = project.forms(of: type)
    let used = unit.uses.sorted().compactMap { units[$0] }
    let services = used.filter(\.isService), children = used.filter { !$0.isService }
    let touched = TouchedLines(unit, self)
    let kinds = hazards[unit.name] ?? [:]
    let form = forms[0].form
    let twin = form == .actor ? nil : successor(of: unit, form)
    var (steps, own) = migration(type, forms[0], touched, kinds)
    let removed = steps.reduce(0) { $0 + $1.hazards }
    let pages = Set(steps.map(\.page))
    let helps = kinds.keys.contains { kind in
      !hazardsOfCaptures.contains(kind) && !hazardsOfAwaits.contains(kind)
        && hazardsOfStep.contains { pages.contains($0.key.rawValue) && $0.value.contains(kind) }
    }
    let (verdict, reason) = judge(form, helps: helps, kinds, touched, twin)
    switch verdict {
    case .migrate: break
    case .replace:
      let change =
        touched.callerLines.isEmpty
        ? "delete it: these paths use only \(twin!)" : "the callers use \(twin!), and it goes"
      steps = [
        .init(
          page: GuidePage.removeBridge.rawValue, change: change, lines: touched.callerLines.count, hazards: 0)
      ]
      own = []
    case .repair, .stay: (steps, own) = ([], [])
    }
    let callers = steps.isEmpty ? [] : touched.callerLines
    return Plan.ViewModel(
      name: unit.name, path: place.path, line: place.line, evidence: unit.evidence, form: form.rawValue,
      forms: forms.map { .init(form: $0.form.rawValue, members: $0.members) }, verdict: verdict,
      reason: reason, services: (services.map(\.name) + touched.foreignServices).sorted(),
      viewModels: children.map(\.name),
      callers: callerTypes(unit), tests: testFiles(unit), completionHandlers: touched.waiting.count,
      steps: steps,
      effort: .init(own: own.count, new: 0, callers: byFile(callers)), hazards: kinds,
      hazardsRemoved: verdict == .replace ? kinds.values.reduce(0, +) : verdict == .migrate ? removed : 0)
  }

  /// The steps to the destination, and the lines of the type that they touch.
  private func migration(
    _ type: TypeInfo, _ published: (form: Form, members: [String]), _ touched: TouchedLines,
    _ kinds: [String: Int]
  ) -> (steps: [Plan.Step], own: Set<PlanSpot>) {
    var steps: [Plan.Step] = [], own: Set<PlanSpot> = []
    func step(_ page: GuidePage, _ change: String, _ lines: Set<PlanSpot>, isOwn: Bool = true) {
      let count = kinds.filter { hazardsOfStep[page]?.contains($0.key) == true }.values.reduce(0, +)
      steps.append(.init(page: page.rawValue, change: change, lines: lines.count, hazards: count))
      if isOwn { own.formUnion(lines) }
    }
    let form = published.form
    let publishes: Set<Form> = [.boxes, .closures, .delegate, .combine, .rx]
    if publishes.contains(form) || form == .plain, !touched.state.isEmpty {
      step(
        .collectState,
        "a struct replaces \(number(touched.state.count, "property", "properties")) (\(list(touched.state)))",
        touched.stateLines)
    }
    if publishes.contains(form) || form == .callbackState {
      step(.publishStream, change(from: form, published.members), touched.publishingLines)
    }
    let isObserved = form == .observable || form == .async
    if !isObserved, form != .actor {
      let lines = touched.isolationLines, what = touched.isolationNames.joined(separator: ", ")
      if !project.isMainActor(type) {
        step(.useActor, "an actor replaces \(lines.isEmpty ? "the class" : what)", lines)
      } else if !lines.isEmpty {
        step(.useActor, "the class stays on the main actor, which replaces \(what)", lines)
      }
    }
    if !touched.waiting.isEmpty {
      var change = "await replaces \(number(touched.waiting.count, "completion handler"))"
      if !touched.dispatchers.isEmpty {
        let names = touched.dispatchers.sorted().map { "`\($0)`" }
        change += "; by hand: an async function beside \(list(names)): \(Recipe.besides.link)"
      }
      if !touched.recipes.isEmpty { change += "; see " + touched.recipes.joined(separator: ", ") }
      step(.await, change, touched.waitingLines)
    }
    if !touched.callerLines.isEmpty, !isObserved {
      step(
        .removeBridge, "the callers observe the state and await the intents", touched.callerLines,
        isOwn: false)
    }
    return (steps, own)
  }

  /// `helps` says whether the steps remove a hazard that needs more than a line or two.
  private func judge(
    _ form: Form, helps: Bool, _ kinds: [String: Int], _ touched: TouchedLines, _ twin: String?
  ) -> (Plan.Verdict, String) {
    if let twin { return (.replace, "\(twin) has the same intents in a later form") }
    let waits = !touched.waiting.isEmpty
    if !waits, !helps, !kinds.isEmpty, form != .callbackState {
      return (
        .repair,
        hazardsOfAwaits.isDisjoint(with: kinds.keys)
          ? "its form is enough, and a line or two repair it"
          : "its form is right; a TaskSlot or a check after the await repairs it"
      )
    }
    switch form {
    case .actor, .async, .observable, .stateSource:
      if waits { return (.migrate, "it publishes well, and still calls completion handlers") }
      if helps { return (.migrate, "it has hazards of shared state") }
      return (.stay, form == .stateSource ? "it publishes streams, and has no hazard" : "already async")
    case .callbackState: return (.migrate, "one observer, and a queue that the compiler cannot check")
    case .combine, .rx:
      if waits { return (.migrate, "it calls completion handlers") }
      if helps { return (.migrate, "it has hazards of shared state") }
      return (.stay, "\(form.rawValue) is enough: it calls no completion handler, and has no hazard")
    case .boxes, .closures, .delegate, .plain:
      if waits || helps { return (.migrate, waits ? "it calls completion handlers" : "it has hazards") }
      if touched.hasTasksOnAnyThread, form != .plain {
        return (.migrate, "its tasks change it on any thread, and a screen reads it on the main thread")
      }
      return (
        .stay,
        touched.isolationLines.isEmpty
          ? "nothing waits in it, so its form is enough"
          : "GCD is right: it calls no service, and has no hazard"
      )
    }
  }

  /// A view model with the same name in a later form.
  private func successor(of unit: Unit, _ form: Form) -> String? {
    let rank = Form.allCases.firstIndex(of: form)!
    return units.values.filter { !$0.isService && $0.name != unit.name && stem($0.name) == stem(unit.name) }
      .map { (name: $0.name, rank: Form.allCases.firstIndex(of: project.forms(of: $0.types[0])[0].form)!) }
      .filter { $0.rank > rank && $0.rank <= Form.allCases.firstIndex(of: .actor)! }
      .max { ($0.rank, $1.name) < ($1.rank, $0.name) }?.name
  }

  private func change(from form: Form, _ members: [String]) -> String {
    let what = list(members)
    return switch form {
    case .boxes: "a StateStore replaces \(number(members.count, "box", "boxes")): \(what)"
    case .closures: "a StateStore replaces \(number(members.count, "callback")): \(what)"
    case .delegate: "a StateStore and an EventChannel replace `\(members[0])`"
    case .combine: "a StateStore replaces \(what); its publisher() keeps the sinks"
    case .rx: "a StateStore replaces \(what)"
    default: "a StateStore replaces the CallbackState"
    }
  }

  /// The types that name a unit, without its own parts.
  private func callerTypes(_ unit: Unit) -> [String] {
    let own = Set(unit.types.map(\.name)).union(unit.names)
    return Set(unit.names.flatMap { mentionsByName[$0] ?? [] }.map(\.owner))
      .subtracting(own).subtracting([""]).sorted()
  }

  private func testFiles(_ unit: Unit) -> [String] {
    tests.filter { file in
      unit.names.contains { name in
        file.names.contains(name)
          || file.all(ClassDeclSyntax.self).contains { $0.name.text == name + "Tests" }
      }
    }.map { fileName($0.path) }.sorted()
  }

  private func byFile(_ spots: Set<PlanSpot>) -> [Plan.FileLines] {
    Dictionary(grouping: spots, by: \.path).map { Plan.FileLines(path: $0.key, lines: $0.value.count) }
      .sorted { ($1.lines, $0.path) < ($0.lines, $1.path) }
  }

  // MARK: Services

  private func service(_ unit: Unit) -> Plan.Service {
    let place = place(of: unit)
    let kinds = Set(unit.answers.map(\.answer))
    let handlers = unit.answers.filter { $0.answer == .handler }.map(\.name)
    let awaited = Set(unit.answers.filter { $0.answer == .async }.map(\.name))
    let form = kinds.sorted { $0.rawValue < $1.rawValue }.map(\.rawValue).joined(separator: " + ")
    var twin = units.values.filter {
      $0.isService && $0.name != unit.name && stem($0.name) == stem(unit.name)
        && $0.answers.contains { [.async, .stream].contains($0.answer) }
    }.map(\.name).min()
    if twin == nil, !handlers.isEmpty, awaited.isSuperset(of: handlers) { twin = unit.name }
    let count = handlers.reduce(0) { sum, name in
      sum + max(1, unit.types[0].functions[name]?.filter { project.answer(of: $0) == .handler }.count ?? 1)
    }
    var effort = Plan.Effort()
    let isProtocol = unit.types[0].kind == .protocol
    if !handlers.isEmpty, twin == nil {
      // The async protocol, an adapter in each direction: three frames of 3 lines; for each function a
      // declaration, and a body of 4 lines in each adapter. A class gets an extension with functions.
      effort.new = isProtocol ? 9 + 9 * count : 2 + 5 * count
    }
    let partial = handlers.filter { name in
      unit.types[0].functions[name]?.contains { project.hasPartialAnswers($0) } == true
    }
    return Plan.Service(
      name: unit.name, path: place.path, line: place.line,
      isProtocol: isProtocol, implementations: unit.types.dropFirst().map(\.name), form: form,
      functions: Set(unit.answers.map(\.name)).sorted(), handlers: handlers, partial: partial,
      viewModels: units.values.filter { !$0.isService && $0.uses.contains(unit.name) }.map(\.name).sorted(),
      services: unit.uses.filter { units[$0]?.isService == true }.sorted(), twin: twin, effort: effort,
      hazards: hazards[unit.name] ?? [:])
  }
}
