extension Comparison {
  /// The changes, as text.
  func text() -> String {
    var lines = ["", "AGAINST THE BASELINE", ""]
    let changed = changes.filter { $0.verdict == .worse } + changes.filter { $0.verdict == .better }
    if changed.isEmpty {
      lines.append("  No variant became better or worse beyond noise.")
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
    lines.append("  \(Quantity.count(same, "variant")) within noise, \(unsteady) too unsteady to compare.")
    lines.append(
      "  The floors take \(Quantity.digits(drift))× as long as before. The changes exclude this factor."
    )
    if !missing.isEmpty { lines.append("  Not measured now: \(missing.joined(separator: "; ")).") }
    if isAcrossMachines {
      lines.append(
        "  WARNING: the baseline comes from another kind of machine or build. Do not rely on the comparison.")
    }
    return lines.joined(separator: "\n")
  }
}
