import AsyncViewModelsRequests
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("OptimisticChanges", .timeLimit(.minutes(5)), .endsWaits)
struct OptimisticChangesTests {
  private typealias Changes = OptimisticChanges<Restock>

  private var changes = Changes(Stock(amounts: [1: 2]))

  @Test("a change is shown at once and stays after it is confirmed")
  mutating func confirmed() throws {
    let id = try changes.begin(Restock(product: 1, amount: 2))
    #expect(changes.value[1] == 4)
    #expect(changes.confirmed[1] == 2)
    #expect(changes.pendingCount == 1)
    #expect(try changes.request(of: id) == .init(product: 1, difference: 2))
    #expect(changes.confirm(id).isEmpty)
    #expect(changes.value[1] == 4)
    #expect(changes.confirmed[1] == 4)
    #expect(changes.pendingCount == 0)
    #expect(changes.turn(of: id) == nil)
  }

  @Test("a rollback takes one change back, and the other changes stay")
  mutating func rolledBack() throws {
    let ids = try [1, 2, 3].map { try changes.begin(Restock(product: $0, amount: 1)) }
    #expect(changes.confirm(ids[2]).isEmpty)
    #expect(changes.rollBack(ids[0]).isEmpty)
    #expect(changes.value == Stock(amounts: [1: 2, 2: 1, 3: 1]))
    #expect(changes.confirmed == Stock(amounts: [1: 2, 3: 1]))
    #expect(changes.rollBack(ids[1]).isEmpty)
    #expect(changes.value == changes.confirmed)
  }

  @Test("a change that a rule refuses changes nothing")
  mutating func refusedAtOnce() throws {
    let id = try changes.begin(Restock(product: 1, amount: 3))
    #expect(throws: Refused(reason: "full")) { try changes.begin(Restock(product: 1, amount: 1)) }
    #expect(throws: Refused(reason: "none left")) { try changes.apply(Restock(product: 2, amount: -1)) }
    #expect(changes.value == Stock(amounts: [1: 5]))
    #expect(changes.confirmed == Stock(amounts: [1: 2]))
    #expect(changes.pendingCount == 1)
    #expect(changes.rollBack(id).isEmpty)
    #expect(changes.value == Stock(amounts: [1: 2]))
  }

  @Test("a change that needs no confirmation survives the rollback of an earlier pending change")
  mutating func applied() throws {
    try changes.apply(Restock(product: 1, amount: 1))
    #expect(changes.confirmed[1] == 3)
    let id = try changes.begin(Restock(product: 2, amount: 1))
    try changes.apply(Restock(product: 3, amount: 1))
    #expect(changes.value == Stock(amounts: [1: 3, 2: 1, 3: 1]))
    #expect(changes.rollBack(id).isEmpty)
    #expect(changes.value == Stock(amounts: [1: 3, 3: 1]))
    #expect(changes.value == changes.confirmed)
  }

  @Test("a change of `apply` is confirmed only after earlier pending changes with the same ordering key")
  mutating func appliedAfterPending() throws {
    changes = OptimisticChanges(Stock())
    let first = try changes.begin(Restock(product: 1, amount: 3))
    try changes.apply(Restock(product: 1, amount: -1))
    let second = try changes.begin(Restock(product: 1, amount: 2))
    #expect(changes.value == Stock(amounts: [1: 2]))
    #expect(changes.confirmed == Stock())
    #expect(changes.pendingCount == 2)
    #expect(changes.confirm(first).map(\.id) == [second])
    #expect(changes.confirmed == Stock())
    #expect(changes.rollBack(second).isEmpty)
    #expect(changes.value == Stock())
    #expect(changes.confirmed == Stock())
  }

  @Test(
    "a resumed change is shown as far as possible, is due with its request, and later changes wait for it")
  mutating func resumed() throws {
    let request = Restock.Request(product: 1, difference: 4)
    let first = changes.resume(Restock(product: 1, amount: 1), with: request)
    #expect(changes.value[1] == 5, "2 and 4 exceed the limit")
    #expect(changes.confirmed[1] == 2)
    #expect(try changes.request(of: first) == request)
    let second = changes.resume(
      Restock(product: 1, amount: -1), with: Restock.Request(product: 1, difference: -5))
    #expect(changes.turn(of: second) == nil)
    #expect(changes.pendingRequests.map(\.id) == [first, second])
    #expect(changes.pendingRequests.map(\.request.difference) == [4, -5])
    let turns = changes.rollBack(first)
    #expect(turns.map(\.id) == [second])
    #expect(turns.map(\.change) == [Restock(product: 1, amount: -1)])
    #expect(try turns.first?.result.get().difference == -2, "a waiting change is made again")
    #expect(changes.confirm(second).isEmpty)
    #expect(changes.pendingRequests.isEmpty)
    #expect(changes.value == Stock())
  }

  @Test("a change that is confirmed before its turn lets the changes before and after it keep their order")
  mutating func confirmedWhileWaiting() throws {
    let ids = try [-1, 2, 1].map { try changes.begin(Restock(product: 1, amount: $0)) }
    #expect(changes.confirm(ids[1]).isEmpty, "the first change is still due")
    #expect(changes.turn(of: ids[2]) == nil)
    #expect(changes.confirm(ids[0]).map(\.id) == [ids[2]])
    #expect(changes.confirm(ids[2]).isEmpty)
    #expect(changes.value == Stock(amounts: [1: 3]))
    #expect(changes.value == changes.confirmed)
  }

  @Test("a modification changes the shown and the confirmed value, and no request")
  mutating func modified() throws {
    changes.modify { $0[9] = 1 }
    #expect(changes.confirmed == changes.value)
    let id = try changes.begin(Restock(product: 1, amount: 1))
    changes.modify { $0[8] = 2 }
    #expect(changes.value == Stock(amounts: [1: 3, 8: 2, 9: 1]))
    #expect(changes.confirmed == Stock(amounts: [1: 2, 8: 2, 9: 1]))
    #expect(try changes.request(of: id).difference == 1)
    #expect(changes.rollBack(id).isEmpty)
    #expect(changes.value == Stock(amounts: [1: 2, 8: 2, 9: 1]))
  }

  @Test("changes with equal ordering keys are due one after another, changes with different keys immediately")
  mutating func orderingKeys() throws {
    let first = try changes.begin(Restock(product: 1, amount: 1))
    let second = try changes.begin(Restock(product: 1, amount: 1))
    let third = try changes.begin(Restock(product: 1, amount: 1))
    let other = try changes.begin(Restock(product: 2, amount: 1))
    #expect([first, second, third, other].map { changes.turn(of: $0)?.id } == [first, nil, nil, other])
    #expect(changes.confirm(other).isEmpty)
    let turns = changes.confirm(first)
    #expect(turns.map(\.id) == [second])
    #expect(try turns[0].result.get() == .init(product: 1, difference: 1))
    #expect(changes.turn(of: third) == nil)
    // If a waiting change ends, no other change becomes due.
    #expect(changes.rollBack(third).isEmpty)
    #expect(changes.confirm(second).isEmpty)
    #expect(changes.value == Stock(amounts: [1: 4, 2: 1]))
  }

  @Test("after a rollback, the waiting changes are made again and can get other requests")
  mutating func redone() throws {
    let add = try changes.begin(Restock(product: 1, amount: 3))
    let removeAll = try changes.begin(Restock(product: 1, amount: -1))
    let turns = changes.rollBack(add)
    #expect(turns.map(\.id) == [removeAll])
    #expect(try turns[0].result.get().difference == -2)
    #expect(try changes.request(of: removeAll).difference == -2)
    #expect(changes.value == Stock())
    #expect(changes.pendingCount == 1)
  }

  @Test("after a rollback, a rule can refuse a waiting change, which is then no longer shown")
  mutating func refusedLater() throws {
    let add = try changes.begin(Restock(product: 2, amount: 3))
    let removeAll = try changes.begin(Restock(product: 2, amount: -1))
    let addAgain = try changes.begin(Restock(product: 2, amount: 1))
    let turns = changes.rollBack(add)
    #expect(turns.map(\.id) == [removeAll, addAgain])
    #expect(throws: Refused(reason: "none left")) { try turns[0].result.get() }
    #expect(try turns[1].result.get().difference == 1)
    #expect(throws: Refused(reason: "none left")) { try changes.request(of: removeAll) }
    #expect(changes.pendingCount == 1)
    #expect(changes.value[2] == 1)

    // A change that was refused stays refused, and holds up no later change.
    #expect(changes.rebase(onto: Stock(amounts: [2: 2])).isEmpty)
    #expect(throws: Refused(reason: "none left")) { try changes.request(of: removeAll) }
    #expect(changes.rollBack(removeAll).isEmpty)
    #expect(changes.turn(of: removeAll) == nil)
    #expect(changes.value[2] == 3)
    #expect(changes.confirm(addAgain).isEmpty)
    #expect(changes.confirmed[2] == 3)
  }

  @Test("the service's value replaces the confirmed value, and the pending changes apply to the new value")
  mutating func confirmedAs() throws {
    let first = try changes.begin(Restock(product: 1, amount: 1))
    let second = try changes.begin(Restock(product: 1, amount: 1))
    let other = try changes.begin(Restock(product: 2, amount: 2))
    let turns = changes.confirm(first, as: Stock(amounts: [1: 4, 3: 1]))
    #expect(turns.map(\.id) == [second])
    #expect(changes.confirmed == Stock(amounts: [1: 4, 3: 1]))
    #expect(changes.value == Stock(amounts: [1: 5, 2: 2, 3: 1]))
    #expect(changes.turn(of: other) != nil)
  }

  @Test("a rebase makes the pending changes again and refuses waiting changes that a rule now forbids")
  mutating func rebased() throws {
    let sent = try changes.begin(Restock(product: 1, amount: 1))
    let waiting = try changes.begin(Restock(product: 1, amount: 2))
    let turns = changes.rebase(onto: Stock(amounts: [1: 5]))
    // A change that was sent stays pending, even if there is no room for it.
    #expect(turns.map(\.id) == [waiting])
    #expect(throws: Refused(reason: "full")) { try turns[0].result.get() }
    #expect(changes.turn(of: sent) != nil)
    #expect(changes.value == Stock(amounts: [1: 5]))
    #expect(changes.pendingCount == 1)

    var idle = Changes(Stock())
    #expect(idle.rebase(onto: Stock(amounts: [3: 3])).isEmpty)
    #expect(idle.value == Stock(amounts: [3: 3]))
    #expect(idle.confirmed == idle.value)
  }

  @Test("a change ends once: ending it again, or ending an unknown one, does nothing")
  mutating func endsOnce() throws {
    let first = try changes.begin(Restock(product: 1, amount: 1))
    let second = try changes.begin(Restock(product: 2, amount: 1))
    #expect(changes.confirm(first).isEmpty)
    let (value, confirmed) = (changes.value, changes.confirmed)
    for id in [first, second + 1, 0, -1] {
      #expect(changes.confirm(id).isEmpty)
      #expect(changes.confirm(id, as: Stock()).isEmpty)
      #expect(changes.rollBack(id).isEmpty)
      #expect(changes.turn(of: id) == nil)
    }
    #expect(changes.value == value)
    #expect(changes.confirmed == confirmed)
    #expect(changes.pendingCount == 1)
  }

  @Test("a copy is independent of its original")
  mutating func copies() throws {
    let first = try changes.begin(Restock(product: 1, amount: 1))
    var copy = changes
    let (mine, others) = (
      try changes.begin(Restock(product: 2, amount: 1)), try copy.begin(Restock(product: 3, amount: 2))
    )
    #expect(changes.rollBack(first).isEmpty)
    #expect(copy.confirm(first).isEmpty)
    #expect(changes.value == Stock(amounts: [1: 2, 2: 1]))
    #expect(copy.value == Stock(amounts: [1: 3, 3: 2]))
    #expect(try changes.request(of: mine).product == 2)
    #expect(try copy.request(of: others).product == 3)
  }

  @Test(
    """
    if many tasks share one value, each change ends once, none is lost, and changes with the same key are \
    sent one at a time, in order
    """)
  func concurrentCallers() async throws {
    let store = StateStore(Changes(Stock()))
    let (begun, confirmed) = (Tally(), DeliveryLog<Restock.Request>())
    let sent = (1...4).map { _ in DeliveryLog<Changes.ID>() }
    let answered = (1...4).map { _ in Tally() }
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          let product = number % 4 + 1
          guard let id = try? store.update({ try $0.begin(Restock(product: product, amount: 1)) }) else {
            return
          }
          begun.increment()
          try? await runToCompletion {
            do {
              let request = try await store.firstNonNil { $0.turn(of: id)?.result }.get()
              sent[product - 1].append(id)
              // Gives other changes with this key time to be sent, too.
              for _ in 0..<5 { await Task.yield() }
              #expect(sent[product - 1].values.count == answered[product - 1].increment())
              if number % 3 == 0 { throw Refused() }
              confirmed.append(request)
              store.update { changes in _ = changes.confirm(id) }
              #expect(request.product == product)
            } catch {
              store.update { changes in _ = changes.rollBack(id) }
            }
          }
        }
      }
    }
    #expect(store.value.pendingCount == 0)
    #expect(store.value.value == store.value.confirmed)
    var expected = Stock()
    for request in confirmed.values { expected[request.product] += request.difference }
    #expect(store.value.confirmed == expected)
    // No rule refuses a change that waits: a rollback only makes room.
    #expect(sent.map(\.values.count).reduce(0, +) == begun.count)
    #expect(sent.allSatisfy { $0.values.count >= Stock.limit && $0.values == $0.values.sorted() })
  }
}

extension OptimisticChanges {
  /// Returns the request of a due change, or throws the reason why a rule refused the change.
  fileprivate func request(of id: ID) throws -> Change.Request {
    try #require(turn(of: id)).result.get()
  }
}
