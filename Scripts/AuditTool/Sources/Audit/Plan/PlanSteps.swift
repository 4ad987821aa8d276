import SwiftSyntax

extension PlanBuilder {
  func fill(_ plan: inout Plan) {
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
    plan.callingScreens = screens.sorted().compactMap { screen in
      let calls = Set((usesByOwner[screen] ?? []).filter { service(calledBy: $0) != nil }.map(\.lines))
      return calls.isEmpty ? nil : Plan.FileLines(path: screen, lines: calls.count)
    }.sorted { ($1.lines, $0.path) < ($0.lines, $1.path) }
    plan.unseen = unseen(plan)
    sort(&plan, leafFirst)
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
    let waits = !touched.waiting.isEmpty
    let twin = forms[0].form == .actor ? nil : successor(of: unit, forms[0].form)

    var steps: [Plan.Step] = []
    func step(_ page: String, _ change: String, _ lines: Set<PlanSpot>) {
      let count = kinds.filter { hazardsOfStep[page]?.contains($0.key) == true }.values.reduce(0, +)
      steps.append(.init(page: page, change: change, lines: lines.count, hazards: count))
    }
    let removable = kinds.filter { kind in hazardsOfStep.values.contains { $0.contains(kind.key) } }
    let form = forms[0].form
    let (verdict, reason) = judge(
      form, waits: waits, removable.filter { !hazardsOfCaptures.contains($0.key) }.isEmpty, !kinds.isEmpty,
      touched, twin)
    var own: Set<PlanSpot> = [], callers: Set<PlanSpot> = []
    if verdict == .migrate {
      let publishes: Set<Form> = [.boxes, .closures, .delegate, .combine, .rx]
      if publishes.contains(form) || form == .plain {
        if touched.state.count > 1 {
          step(
            "Step2CollectTheState",
            "a struct replaces \(number(touched.state.count, "property", "properties")) (\(list(touched.state)))",
            touched.stateLines)
          own.formUnion(touched.stateLines)
        }
      }
      if publishes.contains(form) || form == .callbackState {
        step("Step4PublishAStream", published(form, forms[0].members), touched.publishingLines)
        own.formUnion(touched.publishingLines)
      }
      if form != .observable, form != .async, form != .actor {
        let lines = touched.isolationLines
        step(
          "Step6UseAnActor",
          lines.isEmpty
            ? "an actor replaces the class"
            : "an actor replaces \(touched.isolationNames.joined(separator: ", "))", lines)
        own.formUnion(lines)
      }
      if waits {
        var change = "await replaces \(number(touched.waiting.count, "completion handler"))"
        if !touched.recipes.isEmpty { change += "; see " + touched.recipes.joined(separator: ", ") }
        step("Step7Await", change, touched.waitingLines)
        own.formUnion(touched.waitingLines)
      }
      callers = touched.callerLines
      if !callers.isEmpty, form != .observable, form != .async {
        step("Step8RemoveTheBridge", "the callers observe the state and await the intents", callers)
      }
    } else if verdict == .replace {
      callers = touched.callerLines
      step(
        "Step8RemoveTheBridge",
        callers.isEmpty
          ? "delete it: these paths use only \(twin!)" : "the callers use \(twin!), and it goes", callers)
    }
    let remaining = steps.reduce(0) { $0 + $1.hazards }
    return Plan.ViewModel(
      name: unit.name, path: place.path, line: place.line, evidence: unit.evidence, form: form.rawValue,
      forms: forms.map { .init(form: $0.form.rawValue, members: $0.members) }, verdict: verdict,
      reason: reason, services: services.map(\.name), viewModels: children.map(\.name),
      callers: callerTypes(unit), tests: testFiles(unit), completionHandlers: touched.waiting.count,
      steps: steps,
      effort: .init(own: own.count, new: 0, callers: byFile(callers)), hazards: kinds,
      hazardsRemoved: verdict == .replace ? kinds.values.reduce(0, +) : remaining)
  }

  private func judge(
    _ form: Form, waits: Bool, _ isClean: Bool, _ hasHazard: Bool, _ touched: TouchedLines, _ twin: String?
  ) -> (Plan.Verdict, String) {
    if let twin { return (.replace, "\(twin) has the same intents in a later form") }
    if isClean, hasHazard, !waits, form != .callbackState {
      return (.repair, "its form is enough, and a line or two repair it: audit find")
    }
    switch form {
    case .actor, .async, .observable, .stateSource:
      if waits { return (.migrate, "it publishes well, and still calls completion handlers") }
      if !isClean {
        return (.repair, "its form is right; a TaskSlot or a check after the await repairs it: audit find")
      }
      return (.stay, form == .stateSource ? "it publishes streams, and has no hazard" : "already async")
    case .callbackState: return (.migrate, "one observer, and a queue that the compiler cannot check")
    case .combine, .rx:
      if waits { return (.migrate, "it calls completion handlers") }
      if !isClean { return (.migrate, "it has hazards of shared state") }
      return (.stay, "\(form.rawValue) is enough: it calls no completion handler, and has no hazard")
    case .boxes, .closures, .delegate, .plain:
      if waits || !isClean { return (.migrate, waits ? "it calls completion handlers" : "it has hazards") }
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

  private func published(_ form: Form, _ members: [String]) -> String {
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
    let form = kinds.sorted { $0.rawValue < $1.rawValue }.map(\.rawValue).joined(separator: " and ")
    var twin = units.values.filter {
      $0.isService && $0.name != unit.name && stem($0.name) == stem(unit.name)
        && $0.answers.contains { [.async, .stream].contains($0.answer) }
    }.map(\.name).min()
    if twin == nil, !handlers.isEmpty, awaited.isSuperset(of: handlers) { twin = unit.name }
    let count = handlers.reduce(0) { sum, name in
      sum + max(1, unit.types[0].functions[name]?.filter { project.answer(of: $0) == .handler }.count ?? 1)
    }
    var effort = Plan.Effort()
    // The async protocol, an adapter in each direction: three frames of 3 lines; for each function a
    // declaration, and a body of 4 lines in each adapter.
    if !handlers.isEmpty, twin == nil { effort.new = 9 + 9 * count }
    return Plan.Service(
      name: unit.name, path: place.path, line: place.line,
      implementations: unit.types.dropFirst().map(\.name), form: form,
      functions: Set(unit.answers.map(\.name)).sorted(),
      viewModels: units.values.filter { !$0.isService && $0.uses.contains(unit.name) }.map(\.name).sorted(),
      services: unit.uses.filter { units[$0]?.isService == true }.sorted(), twin: twin, effort: effort,
      hazards: hazards[unit.name] ?? [:])
  }
}
