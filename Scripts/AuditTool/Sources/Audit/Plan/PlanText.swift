extension Plan {
  /// The plan for a terminal of 100 columns, on one page of 60 lines. `isComplete` prints every entry
  /// in full.
  public func text(isComplete: Bool = false) -> String {
    let models = Dictionary(viewModels.map { ($0.name, $0) }) { first, _ in first }
    let services = Dictionary(self.services.map { ($0.name, $0) }) { first, _ in first }
    let head = headLines(), tail = tailLines(isComplete)
    var body: [String] = [], shortened = 0
    let limit = isComplete ? Int.max : 60
    let names = order.map {
      ($0, $0.isService ? serviceLines($0, services[$0.name]!) : modelLines($0, models[$0.name]!))
    }
    var isFull = true
    for (index, (entry, lines)) in names.enumerated() {
      let others = order.count - index - 1
      let used = head.count + body.count + tail.count
      // The others need a line each, or one line together.
      if isFull, used + lines.count + min(others, 12) + 2 > limit { isFull = false }
      if isFull {
        body += lines
      } else if head.count + body.count + tail.count + 2 < limit {
        body.append(shortLine(entry))
      } else {
        shortened = order.count - index
        break
      }
    }
    if shortened > 0 { body.append("    … and \(shortened) more: --all or --json prints them") }
    return (head + body + tail).map { $0 + "\n" }.joined()
  }

  // MARK: What is there

  private func headLines() -> [String] {
    func forms(_ names: [String]) -> String {
      Dictionary(grouping: names) { $0 }.map { (name: $0.key, count: $0.value.count) }
        .sorted { ($1.count, $0.name) < ($0.count, $1.name) }.map { "\($0.name) \($0.count)" }
        .joined(separator: ", ")
    }
    let shown = paths.joined(separator: ", ")
    var lines = ["\(shown.count < 80 ? shown : list(paths, limit: 1)): \(number(files, "file"))", ""]
    func row(_ title: String, _ text: String) {
      var rest = wrappedLines(text, width: 84)
      lines.append("\(title.padded(to: 14))  \(rest.removeFirst())")
      lines += rest.map { String(repeating: " ", count: 16) + $0 }
    }
    row("View models", viewModels.isEmpty ? "none" : "\(viewModels.count): \(forms(viewModels.map(\.form)))")
    row(
      "Services",
      self.services.isEmpty ? "none" : "\(self.services.count): \(forms(self.services.map(\.form)))")
    let calls = callingScreens.prefix(3).map { "\($0.path) (\($0.lines))" }.joined(separator: ", ")
    row(
      "Screens",
      "\(screens)"
        + (callingScreens.isEmpty
          ? ""
          : "; \(number(callingScreens.count, "calls services itself", "call services themselves")): \(calls): \(GuidePage.extractViewModel.rawValue)")
    )
    let risky = viewModels.map { (name: $0.name, count: $0.hazards.values.reduce(0, +)) }
      .filter { $0.count > 0 }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    row(
      "Hazards",
      risky.isEmpty
        ? "\(hazards); none in a view model"
        : "\(hazards); in view models "
          + list(risky.map { "\($0.name) \($0.count)" }, limit: 4))
    // A view model that is deleted needs no tests.
    let moved = viewModels.filter { $0.verdict == .migrate }
    let tested = moved.count { !$0.tests.isEmpty }
    if tested < moved.count {
      row(
        "Tests",
        "in these paths for \(tested) of \(number(moved.count, "view model")) to move: begin the others with \(GuidePage.writeTests.rawValue)"
      )
    }
    let shared = self.services.filter { $0.viewModels.count > 2 }
      .sorted { ($1.viewModels.count, $0.name) < ($0.viewModels.count, $1.name) }
    if !shared.isEmpty {
      row(
        "Shared",
        "by view models: " + list(shared.map { "\($0.name) \($0.viewModels.count)" }, limit: 4))
    }
    let moving = Set(order.map(\.name))
    let cycles = cycles.filter { !moving.isDisjoint(with: $0) }
    if !cycles.isEmpty {
      row(
        "Cycles",
        list(cycles.map { $0.joined(separator: " ↔ ") }, limit: 2) + ": one pull request each")
    }
    lines.append("")
    if order.isEmpty, isScreenWaiting {
      let first = "\(GuidePage.writeTests.rawValue) and \(GuidePage.extractViewModel.rawValue)"
      lines.append("No view model to move: begin with \(first) in a screen.")
    } else if viewModels.isEmpty, self.services.isEmpty {
      lines.append("Nothing to migrate: these paths have no view models and no services.")
    } else if order.isEmpty {
      lines.append("Nothing to migrate.")
    } else {
      let total = order.reduce(0) { $0 + $1.lines }
      lines.append(
        "Order: \(number(order.count, "entry", "entries")), about \(total) lines; the app compiles and ships after each"
      )
      lines.append("Steps are pages of \(GuidePage.folder)")
      // The services of a view model can need a person, while a command changes the view model.
      let begun = order.filter { !$0.migrations.isEmpty }
      if order[0].migrations.isEmpty, let entry = begun.min(by: { $0.lines < $1.lines }) {
        lines.append("Entry 1 is by hand. A command can begin entry \(entry.number) before it:")
        lines += labeled("run", command(entry))
      }
    }
    return lines
  }

  // MARK: The order

  private func title(_ entry: Entry, _ what: String) -> String {
    let name = "\(entry.number). \(entry.name)" + (entry.isPilot ? "  the pilot" : "")
    return name.padded(to: 52) + what
  }

  private func shortLine(_ entry: Entry) -> String {
    let model = viewModels.first { $0.name == entry.name && !entry.isService }
    let step = entry.isService ? GuidePage.awaitService.rawValue : model?.steps.first?.page ?? ""
    let hazards = entry.hazards > 0 ? "\(number(entry.hazards, "hazard")), " : ""
    return title(entry, "\(number(entry.lines, "line")), \(hazards)\(step)")
  }

  private func serviceLines(_ entry: Entry, _ service: Service) -> [String] {
    let functions = list(service.handlers.map { $0 == "init" ? "its request" : $0 })
    var lines = [title(entry, "\(entry.lines) new lines")]
    var next =
      service.isProtocol
      ? "an async twin of \(functions), and an adapter in each direction"
      : "async functions beside \(functions), see \(Recipe.besides.link)"
    if !service.partial.isEmpty {
      let answers = service.partial.count == 1 ? "answers" : "answer"
      next += "; \(list(service.partial)) \(answers) in parts: \(Recipe.partial.link)"
    }
    lines += labeled("next", "\(GuidePage.awaitService.rawValue): \(next)")
    lines += runLines(entry)
    let users = service.viewModels.count > 1 ? "; used by \(list(service.viewModels))" : ""
    let implementations =
      service.implementations.isEmpty
      ? "every caller" : list(service.implementations) + " and every caller"
    lines += labeled("stays", "\(implementations), unchanged\(users)")
    return lines
  }

  private func modelLines(_ entry: Entry, _ model: ViewModel) -> [String] {
    let hazards = entry.hazards > 0 ? ", removes \(number(entry.hazards, "hazard"))" : ""
    var lines = [title(entry, "\(number(entry.lines, "line"))\(hazards)")]
    var now = "\(model.form)"
    if model.completionHandlers > 0 {
      now +=
        ", \(number(model.completionHandlers, "call with a completion handler", "calls with completion handlers"))"
    }
    if !model.services.isEmpty { now += ", of \(list(model.services))" }
    if !model.hazards.isEmpty {
      now +=
        "; "
        + model.hazards.sorted { $0.key < $1.key }.map { $0.value > 1 ? "\($0.value) × \($0.key)" : $0.key }
        .joined(separator: ", ")
    }
    lines += labeled("now", now)
    var steps = model.steps
    if let next = entry.migrations.first {
      // What a tool can do now comes first, and `next` says what `run` does.
      let page = GuidePage.ofMigration[next]?.rawValue
      if let index = steps.firstIndex(where: { $0.page == page }) {
        let step = steps.remove(at: index)
        lines += labeled("next", "\(step.page): \(step.change)")
      } else {
        lines += labeled("next", "\(page ?? next): see Scripts/migrate --list")
      }
    } else if !steps.isEmpty {
      let step = steps.removeFirst()
      lines += labeled("next", "\(step.page): \(step.change)")
    }
    lines += runLines(entry)
    let then = steps.filter { $0.page != GuidePage.removeBridge.rawValue }
    if !then.isEmpty {
      lines += labeled("then", then.map { "\($0.page): \($0.change)" }.joined(separator: " · "))
    }
    let callers = model.effort.callers.map { "\(fileName($0.path)) \($0.lines)" }
    if !callers.isEmpty {
      let bridge = model.verdict == .replace ? "" : ": later, one by one; the old form stays as a bridge"
      lines += labeled("callers", list(callers, limit: 4) + bridge)
    }
    return lines
  }

  /// The command that makes the next step, or why there is none. Later steps can wait for the first
  /// one, so only its refusal counts.
  private func runLines(_ entry: Entry) -> [String] {
    guard !entry.migrations.isEmpty else {
      return entry.refusals.first.map { labeled("by hand", byHand(entry, $0)) } ?? []
    }
    let others = entry.migrations.dropFirst()
    return labeled(
      "run", command(entry) + (others.isEmpty ? "" : "; likewise \(others.joined(separator: ", "))"))
  }

  private var scope: String { paths.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ") }

  /// The command that makes the next step of an entry.
  private func command(_ entry: Entry) -> String {
    func command(_ scope: String) -> String {
      "Scripts/migrate \(entry.migrations[0]) \(scope) --only \(entry.name)"
    }
    return command(scope).count < 87 ? command(scope) : command("PATH")
  }

  /// Why a person makes the next step, where to look, and what to do.
  private func byHand(_ entry: Entry, _ refusal: Refusal) -> String {
    let service = services.first { entry.isService && $0.name == entry.name }
    let model = viewModels.first { !entry.isService && $0.name == entry.name }
    let declared = service.map { ($0.path, $0.line) } ?? model.map { ($0.path, $0.line) }
    guard let step = refusal.step else {
      return refusal.reason + (declared.map { ": follow the page, from \(fileName($0)):\($1)" } ?? "")
    }
    let place = refusal.path.flatMap { path in refusal.line.map { (path, $0) } } ?? declared
    let text =
      "\(step) is refused" + (place.map { " at \(fileName($0)):\($1)" } ?? "") + ": \(refusal.reason)"
    return service == nil ? text : text + "; or write async functions beside its own: \(Recipe.besides.link)"
  }

  private func labeled(_ label: String, _ text: String) -> [String] {
    wrappedLines(text, width: 87).enumerated().map { index, line in
      "   " + (index == 0 ? label : "").padded(to: 8) + "  " + line
    }
  }

  // MARK: The rest

  private func tailLines(_ isComplete: Bool) -> [String] {
    var lines: [String] = []
    func paragraph(_ title: String, _ text: String) {
      lines.append("")
      lines += wrappedLines("\(title): \(text)", width: 100)
    }
    let limit = isComplete ? Int.max : 5
    if !later.isEmpty {
      let names = list(later, limit: isComplete ? .max : 6)
      if order.isEmpty {
        paragraph(
          "Services with completion handlers, leaf first",
          "\(names): an async form when a view model awaits them: \(GuidePage.awaitService.rawValue)")
      } else {
        paragraph(
          "After the view models, leaf first",
          "\(names): await inside, and delete the adapters: \(GuidePage.removeBridge.rawValue)")
      }
    }
    for verdict in [Verdict.repair, .stay] {
      let groups = Dictionary(grouping: viewModels.filter { $0.verdict == verdict }, by: \.reason)
      for (reason, group) in groups.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
        let sorted = group.sorted {
          ($1.hazards.values.reduce(0, +), $0.name) < ($0.hazards.values.reduce(0, +), $1.name)
        }
        let names = sorted.map { model in
          let count = model.hazards.values.reduce(0, +)
          return count > 0 ? "\(model.name) (\(number(count, "hazard")))" : model.name
        }
        let command = verdict == .repair ? "; Scripts/audit \(scope) shows the lines" : ""
        paragraph(verdict == .repair ? "Repair" : "Stay", "\(list(names, limit: limit)): \(reason)\(command)")
      }
    }
    if !values.isEmpty {
      paragraph("Stay", "\(list(values, limit: limit)): \(values.count == 1 ? "a value" : "values")")
    }
    if !unseen.isEmpty { paragraph("Not seen", unseen.joined(separator: "; ")) }
    return lines
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    count < width ? self + String(repeating: " ", count: width - count) : self + "  "
  }
}

/// The words of a text in lines of a width.
private func wrappedLines(_ text: String, width: Int) -> [String] {
  var lines = [""]
  for word in text.split(separator: " ") {
    if !lines[lines.count - 1].isEmpty, lines[lines.count - 1].count + word.count + 1 > width {
      lines.append("")
    }
    lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
  }
  return lines
}

func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

func number(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  "\(count) \(count == 1 ? one : many ?? one + "s")"
}

/// The first names, and the number of the others.
func list(_ names: [String], limit: Int = 3) -> String {
  names.prefix(limit).joined(separator: ", ")
    + (names.count > limit ? " and \(names.count - limit) more" : "")
}
