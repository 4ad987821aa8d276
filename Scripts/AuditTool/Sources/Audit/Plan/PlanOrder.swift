extension PlanBuilder {
  /// Finds the order of the services and view models. `commands` are the types that a step of
  /// `migrate` changes now.
  func sort(_ plan: inout Plan, _ leafFirst: [String], commands: Set<String>) {
    let models = Dictionary(plan.viewModels.map { ($0.name, $0) }) { first, _ in first }
    let services = Dictionary(plan.services.map { ($0.name, $0) }) { first, _ in first }
    var open = Set(plan.viewModels.filter { [.migrate, .replace].contains($0.verdict) }.map(\.name))
    let cyclic = Dictionary(
      plan.cycles.enumerated().flatMap { index, group in group.map { ($0, index) } }
    ) { first, _ in first }
    let depth = Dictionary(leafFirst.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
    var done: Set<String> = []
    func needsTwin(_ name: String) -> Bool {
      guard let service = services[name] else { return false }
      return service.effort.new > 0 && !done.contains(name)
    }
    func twins(_ model: Plan.ViewModel) -> [String] {
      model.completionHandlers > 0 && model.verdict == .migrate ? model.services.filter(needsTwin) : []
    }
    /// Whether commands begin the view model and the services before it.
    func isReady(_ model: Plan.ViewModel) -> Bool {
      commands.contains(model.name) && twins(model).allSatisfy(commands.contains)
    }
    func total(_ model: Plan.ViewModel) -> Int { model.effort.total }
    /// Hazards per touched line, a command, few callers, few lines.
    func precedes(_ left: Plan.ViewModel, _ right: Plan.ViewModel) -> Bool {
      let a = left.hazardsRemoved * max(1, total(right)), b = right.hazardsRemoved * max(1, total(left))
      return (b, isReady(left) ? 0 : 1, left.effort.callers.count, total(left), left.name)
        < (a, isReady(right) ? 0 : 1, right.effort.callers.count, total(right), right.name)
    }
    /// Small, but with enough code to learn from.
    func pilot(of models: [Plan.ViewModel]) -> Plan.ViewModel? {
      let real = models.filter { $0.completionHandlers > 0 && $0.verdict == .migrate }
      return (real.contains { total($0) >= 10 } ? real.filter { total($0) >= 10 } : real).min {
        ($0.effort.callers.count, total($0), $0.name) < ($1.effort.callers.count, total($1), $1.name)
      }
    }
    func replacedUsers(_ model: Plan.ViewModel) -> [String] {
      plan.viewModels.filter { $0.verdict == .replace && $0.viewModels.contains(model.name) }.map(\.name)
    }
    var isFirst = true
    while !open.isEmpty {
      // A view model moves after those that it uses. One with a successor goes after those that use it.
      let free = open.sorted().compactMap { models[$0] }.filter { model in
        let others = model.verdict == .replace ? replacedUsers(model) : model.viewModels
        return others.allSatisfy { other in
          !open.contains(other) || (cyclic[other] != nil && cyclic[other] == cyclic[model.name])
        }
      }
      let candidates = free.isEmpty ? open.sorted().compactMap { models[$0] } : free
      // A team begins with what a command does.
      let ready = isFirst ? candidates.filter(isReady) : []
      let pilot = isFirst ? pilot(of: ready) ?? (ready.isEmpty ? pilot(of: candidates) : nil) : nil
      guard let next = pilot ?? ready.min(by: precedes) ?? candidates.min(by: precedes) else { break }
      for name in twins(next).sorted(by: { (depth[$0] ?? 0, $0) < (depth[$1] ?? 0, $1) }) {
        let service = services[name]!
        done.insert(name)
        plan.order.append(
          .init(
            number: plan.order.count + 1, isService: true, name: name, isPilot: false,
            lines: service.effort.total, callers: service.viewModels.count,
            hazards: service.hazards.filter { hazardsOfStep[.awaitService]!.contains($0.key) }.values
              .reduce(0, +)))
      }
      plan.order.append(
        .init(
          number: plan.order.count + 1, isService: false, name: next.name, isPilot: pilot != nil,
          lines: total(next), callers: next.callers.count, hazards: next.hazardsRemoved))
      open.remove(next.name)
      isFirst = false
    }
    plan.later = leafFirst.filter { name in
      guard let service = services[name] else { return false }
      return service.form.contains(Answer.handler.rawValue) && service.twin == nil && !done.contains(name)
    }
  }
}
