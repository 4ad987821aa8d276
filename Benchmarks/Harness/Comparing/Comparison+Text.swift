extension Comparison {
  /// What changed, as text.
  func text() -> String {
    var lines = ["", "AGAINST THE BASELINE", ""]
    let changed = changes.filter { $0.verdict == .worse } + changes.filter { $0.verdict == .better }
    if changed.isEmpty {
      lines.append("  Nothing became better or worse beyond noise.")
    } else {
      lines += TextTable(
        header: ["", "before", "now", "change", "noise", "verdict"],
        rows: changed.map { change in
          [
            change.name, Quantity.time(nanoseconds: change.before), Quantity.time(nanoseconds: change.after),
            Quantity.comparison(ratio: change.ratio), "±" + Quantity.percentage(change.noise),
            change.verdict == .worse ? "WORSE" : "better",
          ]
        }
      ).lines()
    }
    let same = changes.count { $0.verdict == .withinNoise }
    let unsteady = changes.count { $0.verdict == .unsteady }
    lines.append("")
    lines.append("  \(Quantity.count(same, "variant")) within noise, \(unsteady) too unsteady to say.")
    lines.append(
      "  The floors take \(Quantity.digits(drift))× as long as then; that much is the machine's and left out."
    )
    if !missing.isEmpty { lines.append("  Not measured now: \(missing.joined(separator: "; ")).") }
    if isAcrossMachines {
      lines.append("  WARNING: another kind of machine or build. The comparison says little.")
    }
    return lines.joined(separator: "\n")
  }
}
