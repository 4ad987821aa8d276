import Foundation
import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(5)))
struct ComparisonTests {
  private func report(
    _ times: [(String, Double)], floor: Double = 100, cores: Int = 2, samples: Int = 9
  ) -> Report {
    let variants = [("floor", floor)] + times
    return Report(
      date: Date(timeIntervalSince1970: 0),
      machine: Machine(system: "Linux", architecture: "x86-64", cores: cores, isDebugBuild: false),
      mode: "full", command: "", isInterrupted: false,
      groups: [
        GroupResult(
          section: "S", title: "t", unit: "u", reference: "floor",
          measurements: variants.map { variant, time in
            VariantResult(
              variant: variant, iterationsPerSample: 1, operationsPerSample: 1,
              time: Statistics(Array(repeating: time, count: samples)), cpu: time, memory: nil, threads: nil,
              isFloor: variant == "floor")
          }, failures: [])
      ])
  }

  private func verdict(_ before: Report, _ after: Report) -> Change.Verdict? {
    Comparison(of: after, with: before).changes.first?.verdict
  }

  @Test("a difference of at most 10 % is noise; a larger difference counts as better or worse")
  func verdicts() {
    let before = report([("a", 100)])
    #expect(verdict(before, report([("a", 109)])) == .withinNoise)
    #expect(verdict(before, report([("a", 92)])) == .withinNoise)
    #expect(verdict(before, report([("a", 112)])) == .worse)
    #expect(verdict(before, report([("a", 80)])) == .better)
    #expect(Comparison(of: report([("a", 112)]), with: before).hasRegressions)
    #expect(!Comparison(of: report([("a", 80)]), with: before).hasRegressions)
  }

  @Test("a slower machine is no regression; a variant without a gain on a faster machine is a regression")
  func drift() {
    let before = report([("a", 100)])
    #expect(verdict(before, report([("a", 150)], floor: 150)) == .withinNoise)
    #expect(verdict(before, report([("a", 100)], floor: 50)) == .worse)
    #expect(Comparison(of: report([("a", 150)], floor: 150), with: before).drift == 1.5)
  }

  @Test("a change between unsteady runs counts only if the samples of the two runs do not overlap")
  func apart() {
    #expect(verdict(report([("a", 100)]), report([("a", 200)], samples: 2)) == .worse)
    #expect(verdict(report([("a", 100)]), report([("a", 100)], samples: 2)) == .unsteady)
  }

  @Test("a change counts if it exceeds the noise, and the runs are steady or their samples do not overlap")
  func unsteady() {
    func change(to after: Double, isSteady: Bool, areApart: Bool) -> Change.Verdict {
      Change(
        name: "a", before: 100, after: after, drift: 1, noise: 0.3, isSteady: isSteady, areApart: areApart
      ).verdict
    }
    #expect(change(to: 125, isSteady: true, areApart: true) == .withinNoise)
    #expect(change(to: 140, isSteady: true, areApart: false) == .worse)
    #expect(change(to: 140, isSteady: false, areApart: false) == .unsteady)
    #expect(change(to: 140, isSteady: false, areApart: true) == .worse)
  }

  @Test("the text of a comparison omits floors, names missing variants, and warns of another machine")
  func text() {
    let comparison = Comparison(
      of: report([("a", 200)], cores: 8), with: report([("a", 100), ("b", 1)]))
    #expect(comparison.changes.map(\.name) == ["S / t / a"])
    #expect(comparison.missing == ["S / t / b"])
    let text = comparison.text()
    #expect(text.contains("WORSE") && text.contains("S / t / b") && text.contains("another kind of machine"))
    #expect(
      Comparison(of: report([("a", 1)]), with: report([("a", 1)])).text().contains("No variant became better")
    )
  }
}
