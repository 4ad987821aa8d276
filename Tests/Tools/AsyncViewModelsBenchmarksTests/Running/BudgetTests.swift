import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(5)))
struct BudgetTests {
  @Test("a group's share of the time is proportional to its number of variants")
  func shares() {
    let budget = Budget(remaining: .seconds(100), variantLimit: .seconds(50))
    #expect(budget.share(of: 2, among: 10) == .seconds(20))
  }

  @Test("no variant gets more than the limit")
  func limit() {
    let budget = Budget(remaining: .seconds(100), variantLimit: .seconds(4))
    #expect(budget.share(of: 3, among: 3) == .seconds(12))
    #expect(budget.estimate(for: 3, after: 3, in: .seconds(1)) == .seconds(12))
  }

  @Test("the share is zero after the time is over")
  func exhausted() {
    let budget = Budget(remaining: .seconds(-5), variantLimit: .seconds(4))
    #expect(budget.share(of: 3, among: 6) == .zero)
    #expect(budget.estimate(for: 3, after: 0, in: .zero) == .zero)
  }

  @Test("a run that exceeds its time is expected to go on at its pace, as soon as a tenth of it is finished")
  func pace() {
    let budget = Budget(remaining: .seconds(1), variantLimit: .seconds(4))
    #expect(budget.estimate(for: 90, after: 9, in: .seconds(60)) == .seconds(1))
    #expect(budget.estimate(for: 90, after: 10, in: .seconds(60)) == .seconds(540))
  }
}
