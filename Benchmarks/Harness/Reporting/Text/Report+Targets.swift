extension Report {
  /// The claims as text: what was promised, what was measured, and whether it holds; none where none was checked.
  var targetLines: [String] {
    guard !targets.isEmpty else { return [] }
    let table = TextTable(
      header: ["work and promise", "measured", "verdict"],
      rows: targets.map { target in
        [
          "\(target.work): \(target.promise)",
          target.measured.map { Quantity.figure($0, unit: target.unit) } ?? "–",
          (target.isUnsteady ? "! " : "") + target.verdict.rawValue,
        ]
      })
    return ["", "TARGETS", ""] + table.lines()
  }
}
