/// Charts as files, for pages that are written by hand.
extension Report {
  /// The chart of the stages, and one chart for each curve. The names of the files do not depend on the results.
  var pictures: [(name: String, contents: String)] {
    let stages = stagesChart.map { chart in
      [
        (
          Self.stagesPicture,
          chart.drawing.file(title: "The stages of each feature", notes: [StagesChart.note, origin])
        )
      ]
    }
    return (stages ?? [])
      + curves.map { curve in
        (
          Self.fileName(of: curve.curve),
          curve.drawing.file(
            title: curve.curve,
            notes: [
              curve.note, "Both scales are logarithmic. A level line is a cost that does not grow.", origin,
            ].compactMap(\.self))
        )
      }
  }

  private var origin: String { "\(machine.summary), \(day)." }

  /// The names of all pictures that a run with these curves can write.
  static func pictureNames(curves: [String]) -> [String] { [stagesPicture] + curves.map(fileName) }

  private static let stagesPicture = "stages.svg"

  /// The words of the title, with dashes between them.
  private static func fileName(of title: String) -> String {
    HTML.anchor(title).split(separator: "-").joined(separator: "-") + ".svg"
  }
}
