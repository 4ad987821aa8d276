extension Report {
  static let readmeHeader = ["work", "this package", "beside it", "measured", "promised"]

  /// The README's section: the headline targets with their numbers, and the machine and command behind them.
  func readmeSection() -> String {
    let table = MarkdownTable(
      header: Self.readmeHeader,
      rows: targets.filter(\.isHeadline).map { target in
        [
          target.work, target.subjectTime.map { Quantity.time(nanoseconds: $0) } ?? "",
          target.yardstickTime.map { Quantity.time(nanoseconds: $0) } ?? "", target.measuredText,
          target.promise + (target.verdict == .fallsShort ? " (falls short)" : ""),
        ]
      })
    return table.text + "\n\n" + caption
  }
}
