import AsyncViewModelsRequests
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

/// Compares ``OptimisticChanges`` with a simple reference implementation, step by step.
@Suite("OptimisticChanges: random steps", .timeLimit(.minutes(5)), .endsWaits)
struct OptimisticChangesModelTests {
  @Test("after each step, values and turns agree with the reference implementation, and no change is lost")
  func randomSteps() throws {
    for seed in 1...2_000 {
      var run = Run(seed: UInt64(seed))
      for _ in 0..<40 where run.isInAgreement { run.step() }
      run.endAll()
      let isInAgreement = run.isInAgreement
      #expect(isInAgreement, "seed \(seed): \(run.log.joined(separator: ", "))")
      if !isInAgreement { break }
    }
  }
}

private struct Run {
  private var random: SplitMix64
  private var changes = OptimisticChanges<Restock>(Stock())
  private var reference = ReferenceChanges()
  private(set) var isInAgreement = true
  private(set) var log: [String] = []

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func step() {
    switch random.next(in: 0...9) {
    case 0...3: begin(change())
    case 4: apply(change())
    case 5: rebase()
    case 6: endUnknown()
    default: endOne()
    }
  }

  mutating func endAll() {
    while isInAgreement, !reference.entries.isEmpty { endOne() }
    isInAgreement = isInAgreement && changes.value == changes.confirmed
  }

  private mutating func change() -> Restock {
    Restock(product: random.next(in: 1...3), amount: random.pick([-1, 1, 2, 3]))
  }

  private mutating func apply(_ change: Restock) {
    log.append("apply \(change.product) \(change.amount)")
    let wasAccepted = (try? changes.apply(change)) != nil
    check([], wasAccepted == ((try? reference.apply(change)) != nil))
  }

  private mutating func begin(_ change: Restock) {
    log.append("begin \(change.product) \(change.amount)")
    let id = try? changes.begin(change)
    var wasAccepted = false
    if (try? reference.begin(change, id: id ?? 0)) != nil { wasAccepted = true }
    check([], wasAccepted == (id != nil))
  }

  private mutating func rebase() {
    let stock = Stock(amounts: [random.next(in: 1...3): random.next(in: 1...Stock.limit)])
    log.append("rebase \(stock.amounts)")
    let before = reference
    reference.rebase(onto: stock)
    check(changes.rebase(onto: stock), since: before)
  }

  /// Ends a random change that is due or was refused.
  private mutating func endOne() {
    let ending = reference.entries.filter { $0.phase == .due || $0.phase == .refused }
    guard !ending.isEmpty else { return }
    let entry = random.pick(ending)
    let before = reference
    switch entry.phase == .refused ? 0 : random.next(in: 0...2) {
    case 0:
      log.append("roll back \(entry.id)")
      reference.rollBack(entry.id)
      check(changes.rollBack(entry.id), since: before)
    case 1:
      log.append("confirm \(entry.id)")
      reference.confirm(entry.id)
      check(changes.confirm(entry.id), since: before)
    default:
      var stock = reference.confirmed
      Restock.reapply(entry.request, to: &stock)
      stock[4] += 1
      log.append("confirm \(entry.id) as \(stock.amounts)")
      reference.confirm(entry.id, as: stock)
      check(changes.confirm(entry.id, as: stock), since: before)
    }
  }

  private mutating func endUnknown() {
    let id = random.pick([-1, 0, 1_000])
    let turns = changes.confirm(id) + changes.rollBack(id) + changes.confirm(id, as: Stock())
    check([], turns.isEmpty)
  }

  /// - Parameter before: The reference before the step. `turns` must contain exactly the changes that waited
  ///   before the step and no longer wait after it.
  private mutating func check(_ turns: [OptimisticChanges<Restock>.Turn], since before: ReferenceChanges) {
    let waiting = Set(before.entries.filter { $0.phase == .waiting }.map(\.id))
    let expected = reference.entries.filter { waiting.contains($0.id) && $0.phase != .waiting }.map(\.id)
    let agree = turns.allSatisfy { turn in changes.turn(of: turn.id).map { $0.isEqual(to: turn) } == true }
    check(turns, Set(turns.map(\.id)) == Set(expected) && turns.count == expected.count && agree)
  }

  private mutating func check(_ turns: [OptimisticChanges<Restock>.Turn], _ isExpected: Bool) {
    isInAgreement =
      isExpected && changes.confirmed == reference.confirmed && changes.value == reference.value
      && changes.pendingCount == reference.pending.count && reference.entries.allSatisfy(agrees)
    if !isInAgreement { log.append("value \(changes.value), expected \(reference.value)") }
  }

  private func agrees(_ entry: ReferenceChanges.Entry) -> Bool {
    switch (entry.phase, changes.turn(of: entry.id)?.result) {
    case (.waiting, nil), (.refused, .failure), (.applied, _): true
    case (.due, .success(let request)): request == entry.request
    default: false
    }
  }
}

extension OptimisticChanges.Turn where Change == Restock {
  fileprivate func isEqual(to other: Self) -> Bool { id == other.id && result == other.result }
}
