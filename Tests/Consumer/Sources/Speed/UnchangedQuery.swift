import AsyncViewModelsBenchmarkHarness
import StorefrontViewModels

/// Sets the query of a search to its current value: in the search that the app imports, and in a copy whose code is part of the app.
///
/// A text field often sets a text twice. The search then compares the query and publishes nothing.
struct UnchangedQuery {
  static let all = [
    UnchangedQuery(
      "closure stage",
      imported: Benchmark(imported, subject: { await Notes.closureSearch() }) { model, count in
        for _ in 0..<count { model.setQuery(Notes.query) }
        return count
      },
      local: Benchmark(local, subject: { await Notes.copiedClosureSearch() }) { model, count in
        for _ in 0..<count { model.setQuery(Notes.query) }
        return count
      }),
    UnchangedQuery(
      "stream stage",
      imported: Benchmark(imported, subject: { await Notes.streamSearch() }) { model, count in
        for _ in 0..<count { model.setQuery(Notes.query) }
        return count
      },
      local: Benchmark(local, subject: { await Notes.copiedStreamSearch() }) { model, count in
        for _ in 0..<count { model.setQuery(Notes.query) }
        return count
      }),
    UnchangedQuery(
      "async stage",
      imported: Benchmark(imported, subject: { await Notes.search() }) { model, count in
        for _ in 0..<count { model.setQuery(Notes.query) }
        return count
      },
      local: Benchmark(local, subject: { await Notes.copiedSearch() }) { model, count in
        for _ in 0..<count { model.setQuery(Notes.query) }
        return count
      }),
  ]

  private static let imported = "search of the storefront"
  private static let local = "copy in the app"

  let group: BenchmarkGroup
  let targets: [Target]

  private init(_ stage: String, imported: Benchmark, local: Benchmark) {
    group = BenchmarkGroup(
      section: "Intent", title: "unchanged query, \(stage)", unit: "query", reference: Self.local,
      benchmarks: [imported, local])
    let name = "Intent / unchanged query, \(stage)"
    // The imported code is not specialized for the app's items, and the copy is. So the first target is a goal.
    targets = [1.2, 2.5].map { limit in
      let target = Target(
        "set an unchanged query: \(stage)", "≤ \(limit) × a copy in the app", .atMost(limit),
        // The time of the imported view model, divided by that of the copy.
        .speed(of: "\(name) / \(Self.local)", against: "\(name) / \(Self.imported)"))
      return limit < 2 ? target.asGoal() : target
    }
  }
}
