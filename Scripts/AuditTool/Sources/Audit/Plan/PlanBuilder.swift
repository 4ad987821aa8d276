import SwiftSyntax

/// Finds the view models, the services and the screens of a project, and who calls whom.
struct PlanBuilder {
  /// A view model or a service: a class, or a protocol with the types that implement it.
  struct Unit {
    let name: String
    let isService: Bool
    /// The declarations whose code belongs to the unit.
    var types: [TypeInfo]
    /// The names by which other code uses the unit.
    var names: Set<String>
    var evidence: [String] = []
    var answers: [(name: String, answer: Answer)] = []
    /// The names of the units that it uses.
    var uses: Set<String> = []
  }

  let project: Project
  let index: PlanIndex
  let tests: [SourceFile]
  let files: [SyntaxIdentifier: SourceFile]
  private(set) var units: [String: Unit] = [:]
  private(set) var screens: Set<String> = []
  /// The unit that each name means.
  private(set) var unitOfName: [String: String] = [:]
  private(set) var unitOfType: [String: String] = [:]
  private(set) var ambiguous: [String: Int] = [:]
  private(set) var hazards: [String: [String: Int]] = [:]
  private(set) var hazardCount = 0

  private let mentionsByOwner: [String: [PlanIndex.Mention]]
  let mentionsByName: [String: [PlanIndex.Mention]]
  let usesByOwner: [String: [PlanIndex.Use]]
  let usesByType: [String: [PlanIndex.Use]]
  let names: PlanNames
  private var answers: [String: [(name: String, answer: Answer)]] = [:]

  init(_ project: Project, tests: [SourceFile], _ findings: [Finding]) {
    self.project = project
    self.tests = tests
    names = PlanNames(project)
    index = PlanIndex(project, names)
    files = Dictionary(project.files.map { (Syntax($0.tree).id, $0) }) { first, _ in first }
    mentionsByOwner = Dictionary(grouping: index.mentions, by: \.owner)
    mentionsByName = Dictionary(grouping: index.mentions, by: \.name)
    usesByOwner = Dictionary(grouping: index.uses, by: \.owner)
    var usesByType: [String: [PlanIndex.Use]] = [:]
    for use in index.uses { for type in use.types { usesByType[type, default: []].append(use) } }
    self.usesByType = usesByType
    for type in project.types.values {
      let declarations = type.blocks.filter { $0.parent?.is(ExtensionDeclSyntax.self) == false }
      let count = max(declarations.count, project.typeCount(named: type.name))
      if count > 1, type.isReference || type.kind == .protocol { ambiguous[type.name] = count }
      if isScreen(type) { screens.insert(type.name) }
      answers[type.name] = project.answers(of: type)
    }
    findViewModels()
    findServices()
    connect()
    assign(findings)
  }

  private func isScreen(_ type: TypeInfo) -> Bool {
    if isNamedLikeViewModel(type.name) { return false }
    return project.isViewController(type) || project.isView(type) || hasControllerBase(type)
      || type.isReference && project.isMainActor(type) && !type.attributes.contains("MainActor")
        && type.inherited.contains {
          $0.hasSuffix("View") || $0.hasSuffix("Cell") || $0.hasSuffix("Controller") || $0.hasPrefix("UI")
        }
  }

  /// Whether the base is a controller of another module, such as a section controller.
  private func hasControllerBase(_ type: TypeInfo) -> Bool {
    var type = type, depth = 0
    while let base = type.superclass, depth < 5 { (type, depth) = (base, depth + 1) }
    guard type.kind == .class, let base = type.inherited.first, project.types[base] == nil else {
      return false
    }
    return base.hasSuffix("Controller")
  }

  /// Whether a class has views or view controllers, and so is a part of a screen.
  private func hasViews(_ type: TypeInfo) -> Bool {
    type.properties.values.contains { property in
      property.plainType.hasSuffix("ViewController")
        || property.plainType.hasPrefix("UI")
          && ["View", "Control", "Button", "Controller"].contains(where: property.plainType.hasSuffix)
    }
  }

  /// Whether a presenter shows screens, and so is no view model.
  private func presentsScreens(_ type: TypeInfo) -> Bool {
    type.name.contains("Bridge")
      || type.properties.values.contains { property in
        !property.isWeak
          && ["ViewController", "NavigationController", "UIView", "Coordinator", "UIWindow"].contains {
            property.plainType.hasSuffix($0)
          }
      }
  }

  private func isNamedLikeViewModel(_ name: String) -> Bool {
    ["ViewModel", "Presenter", "VM", "Reactor", "ViewModelImpl", "ViewModelImplementation", "PresenterImpl"]
      .contains { name.hasSuffix($0) }
  }

  private static let otherRoles = [
    "Service", "Repository", "Client", "Manager", "API", "UseCase", "Provider", "Gateway", "DataSource",
    "Cache", "Storage", "Coordinator", "Router", "Container", "Factory", "Delegate", "Wrapper", "Builder",
    "Database", "Theme", "Preferences", "Settings", "Navigator", "Interactor",
  ]

  // MARK: Who is there

  private mutating func findViewModels() {
    for type in project.types.values.sorted(by: { $0.name < $1.name }) {
      guard type.isReference, ambiguous[type.name] == nil, !screens.contains(type.name) else { continue }
      let isNamed = isNamedLikeViewModel(type.name)
      if type.name.contains("Presenter"), presentsScreens(type) { continue }
      let names = [type.name] + protocols(of: type)
      let holders = Set(names.flatMap { mentionsByName[$0] ?? [] }.map(\.owner)).intersection(screens)
        .sorted()
      if !isNamed {
        let forms = project.forms(of: type)
        guard !Self.otherRoles.contains(where: { type.name.hasSuffix($0) }), !holders.isEmpty,
          !hasViews(type),
          forms[0].form != .plain, forms.contains(where: { $0.form != .async }),
          (mentionsByOwner[type.name] ?? []).contains(where: { mention in
            answers[mention.name]?.isEmpty == false && !screens.contains(mention.name)
              && !isNamedLikeViewModel(mention.name)
          })
        else { continue }
      }
      var unit = Unit(name: type.name, isService: false, types: [type], names: [type.name])
      if isNamed {
        unit.evidence.append("its name")
        unit.names.formUnion(protocols(of: type))
      }
      if let first = holders.first {
        unit.evidence.append(
          "held by \(first)" + (holders.count > 1 ? " and \(holders.count - 1) more screens" : ""))
      }
      units[type.name] = unit
    }
    // A protocol of several view models means none of them.
    var owners: [String: Int] = [:]
    for unit in units.values { for name in unit.names { owners[name, default: 0] += 1 } }
    for key in units.keys { units[key]!.names = units[key]!.names.filter { owners[$0] == 1 } }
    for unit in units.values {
      for name in unit.names { unitOfName[name] = unit.name }
      for type in unit.types { unitOfType[type.name] = unit.name }
    }
  }

  /// The project's protocols to which a type conforms, with those of compositions and parents.
  private func protocols(of type: TypeInfo) -> [String] {
    var found: [String] = [], next = type.inherited, seen: Set<String> = []
    while let name = next.popLast() {
      guard seen.insert(name).inserted else { continue }
      if let alias = project.aliases[name] {
        next += alias.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      }
      guard let parent = project.types[name] else { continue }
      if parent.kind == .protocol,
        !["Delegate", "DataSource", "Output"].contains(where: name.hasSuffix) || isNamedOutput(name)
      {
        found.append(name)
      }
      next += parent.inherited
    }
    return found.sorted()
  }

  private func isNamedOutput(_ name: String) -> Bool { name.contains("ViewModelOutput") }

  private mutating func findServices() {
    func isCandidate(_ name: String) -> Bool {
      guard let type = project.types[name], answers[name]?.isEmpty == false else { return false }
      return !screens.contains(name) && unitOfName[name] == nil && unitOfType[name] == nil
        && ambiguous[name] == nil && type.kind != .unknown && !isNamedLikeViewModel(name)
        && !["Coordinator", "Router", "Navigat"].contains(where: name.contains)
        && !["Delegate", "Container", "Factory", "Assembly", "Builder"].contains(where: name.hasSuffix)
    }
    // Implementations belong to their protocol, if it is the only one.
    var implementations: [String: [TypeInfo]] = [:], protocolOf: [String: String] = [:]
    for type in project.types.values.sorted(by: { $0.name < $1.name }) where type.kind != .protocol {
      let ports = protocols(of: type).filter(isCandidate)
      for port in ports { implementations[port, default: []].append(type) }
      // A protocol stands for the protocols that it refines.
      let parents = Set(ports.flatMap { project.types[$0].map { protocols(of: $0) } ?? [] })
      let own = ports.filter { !parents.contains($0) }
      if own.count == 1, isCandidate(type.name) || type.isReference, ambiguous[type.name] == nil {
        protocolOf[type.name] = own[0]
      }
    }
    func make(_ name: String) -> Unit {
      let type = project.types[name]!
      var unit = Unit(name: name, isService: true, types: [type], names: [name])
      for implementation in implementations[name] ?? [] where protocolOf[implementation.name] == name {
        guard unitOfType[implementation.name] == nil, !screens.contains(implementation.name) else { continue }
        unit.types.append(implementation)
        unit.names.insert(implementation.name)
      }
      unit.answers = answers[name] ?? []
      return unit
    }
    // From the view models to what they name, and from the screens to what they call.
    var names = Set(units.values.flatMap(\.types).flatMap { mentionsByOwner[$0.name] ?? [] }.map(\.name))
    for use in screens.flatMap({ usesByOwner[$0] ?? [] }) {
      names.formUnion(use.types.filter { answers[$0]?.contains { $0.name == use.member } == true })
    }
    while !names.isEmpty {
      var next: Set<String> = []
      for name in Set(names.map { protocolOf[$0] ?? $0 }).sorted() {
        guard isCandidate(name), units[name] == nil else { continue }
        let unit = make(name)
        units[name] = unit
        for type in unit.types {
          unitOfType[type.name] = name
          next.formUnion((mentionsByOwner[type.name] ?? []).map(\.name))
        }
        for other in unit.names { unitOfName[other] = name }
      }
      names = next
    }
    // Services by name that no view model reaches.
    for type in project.types.values.sorted(by: { $0.name < $1.name }) {
      let name = protocolOf[type.name] ?? type.name
      guard units[name] == nil, isCandidate(name),
        ["Service", "Repository", "UseCase", "Client", "Gateway", "API"].contains(where: name.hasSuffix)
      else { continue }
      let unit = make(name)
      units[name] = unit
      for type in unit.types { unitOfType[type.name] = name }
      for other in unit.names { unitOfName[other] = name }
    }
  }

  // MARK: Who calls whom

  private mutating func connect() {
    for key in units.keys.sorted() {
      let unit = units[key]!
      for type in unit.types {
        for mention in mentionsByOwner[type.name] ?? [] {
          guard let used = unitOfName[mention.name], used != key else { continue }
          // The two forms of a service are adapters of each other.
          if let other = units[used], other.isService, unit.isService, stem(used) == stem(key) { continue }
          units[key]!.uses.insert(used)
        }
      }
    }
  }

  /// A name without the words that tell the forms of a type apart.
  func stem(_ name: String) -> String {
    var name = name
    for word in ["Closure", "Legacy", "Callback", "Stream", "Async", "Old"] {
      if let range = name.range(of: word) { name.removeSubrange(range) }
    }
    return name
  }

  private mutating func assign(_ findings: [Finding]) {
    hazardCount = findings.count
    var ranges: [String: [(lines: ClosedRange<Int>, unit: String)]] = [:]
    for unit in units.values {
      for (path, lines) in codeRanges(of: unit) { ranges[path, default: []].append((lines, unit.name)) }
    }
    for finding in findings {
      let around = ranges[finding.place.path, default: []].filter { $0.lines.contains(finding.place.line) }
      guard let unit = around.min(by: { ($0.lines.count, $0.unit) < ($1.lines.count, $1.unit) })?.unit else {
        continue
      }
      hazards[unit, default: [:]][finding.kind, default: 0] += 1
    }
  }

  /// The files and lines of a unit's declarations and extensions.
  func codeRanges(of unit: Unit) -> [(path: String, lines: ClosedRange<Int>)] {
    unit.types.flatMap { type in
      type.blocks.compactMap { block in
        guard let file = file(of: block) else { return nil }
        let node = block.parent ?? Syntax(block)
        return (file.path, file.lines(of: node))
      }
    }
  }

  func file(of node: some SyntaxProtocol) -> SourceFile? { files[node.root.id] }

  /// Where a unit is declared.
  func place(of unit: Unit) -> (path: String, line: Int) {
    guard let declaration = unit.types[0].declaration, let file = file(of: declaration) else {
      return ("", 0)
    }
    let name =
      declaration.asProtocol((any NamedDeclSyntax).self).map { Syntax($0.name) } ?? Syntax(declaration)
    return (file.path, file.line(of: name.positionAfterSkippingLeadingTrivia))
  }

  // MARK: Order

  /// The units that use each other in a circle, and all units, the used before their users.
  func layers() -> (cycles: [[String]], leafFirst: [String]) {
    var number: [String: Int] = [:], low: [String: Int] = [:], stack: [String] = [], open: Set<String> = []
    var cycles: [[String]] = [], sorted: [String] = []
    func visit(_ name: String) {
      number[name] = number.count
      low[name] = number[name]
      stack.append(name)
      open.insert(name)
      for used in units[name]!.uses.sorted() where units[used] != nil {
        if number[used] == nil {
          visit(used)
          low[name] = min(low[name]!, low[used]!)
        } else if open.contains(used) {
          low[name] = min(low[name]!, number[used]!)
        }
      }
      guard low[name] == number[name], let start = stack.lastIndex(of: name) else { return }
      let group = stack[start...].sorted()
      stack.removeSubrange(start...)
      open.subtract(group)
      if group.count > 1 { cycles.append(group) }
      sorted += group
    }
    for name in units.keys.sorted() where number[name] == nil { visit(name) }
    return (cycles.sorted { $0[0] < $1[0] }, sorted)
  }
}

extension SourceFile {
  func lines(of node: some SyntaxProtocol) -> ClosedRange<Int> {
    let first = line(of: node.positionAfterSkippingLeadingTrivia)
    return first...max(first, line(of: node.endPositionBeforeTrailingTrivia))
  }
}
