import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

/// Tests a wake-up between a poll and the following wait. A race test cannot produce this order reliably.
@Suite("Waiters", .timeLimit(.minutes(5)), .endsWaits)
struct WaiterTests {
  /// Counts the turns of its tasks.
  private final class CountingExecutor: TaskExecutor {
    let turns = Tally()
    private let executor = QueueTaskExecutor(DispatchQueue(label: "turns"))

    func enqueue(_ job: consuming ExecutorJob) {
      turns.increment()
      executor.enqueue(job)
    }
  }

  /// The number of turns in which a task reads a value.
  private static func turns(ofAReadBeginningWith start: ReadStart, onAnActor: Bool) async -> Int {
    let executor = CountingExecutor()
    await Task(executorPreference: executor) {
      let observer = LatestValueObserver(of: StateStorage(1))
      observer.readStart = start
      #expect(await (onAnActor ? readOnTheMainActor(from: observer) : observer.next(isolation: nil)) == 1)
    }.value
    return executor.turns.count
  }

  @MainActor
  private static func readOnTheMainActor(from observer: LatestValueObserver<Int>) async -> Int? {
    await observer.next(isolation: #isolation)
  }

  /// Returns whether an observer that has just polled, and found nothing, still waits.
  ///
  /// If the observer waits, this method makes it leave.
  private func waits(_ observer: some ElementObserver) async -> Bool {
    var waits = false
    unsafe await withUnsafeContinuation { continuation in
      if case .none = unsafe observer.park(continuation) {
        unsafe continuation.resume()
      } else {
        waits = true
        observer.leave()
      }
    }
    return waits
  }

  @Test("the waiter of a second task is released after its wait")
  func secondWaiter() {
    var waiters = ObserverWaiters()
    let first = waiters.checkOut()
    for _ in 1...3 {
      let second = waiters.checkOut()
      #expect(waiters.others.count == 1)
      waiters.checkIn(second)
      #expect(waiters.others.isEmpty)
    }
    waiters.checkIn(first)
    #expect(!waiters.primaryIsOut)
  }

  @Test("an observer of the latest value waits only while there is nothing to read")
  func latest() async {
    let storage = StateStorage(0)
    let observers = (1...5).map { _ in LatestValueObserver(of: storage) }
    #expect(await waits(observers[0]) == false)
    for observer in observers { _ = observer.poll(after: .none) }
    #expect(await waits(observers[0]))
    #expect(await waits(observers[0]) == false)
    storage.send(1)
    #expect(await waits(observers[1]) == false)
    _ = observers[2].poll(after: .none)
    storage.finish()
    #expect(await waits(observers[2]) == false)
  }

  @Test("an observer with a buffer waits only while there is nothing to read")
  func buffer() async {
    let storage = EventStorage<Int>()
    let observers = (1...4).map { _ in storage.makeObserver(.unbounded) }
    #expect(await waits(observers[0]))
    #expect(await waits(observers[0]) == false)
    _ = storage.post(1)
    #expect(await waits(observers[1]) == false)
    _ = observers[1].poll(after: .none)
    _ = storage.keep(2)
    #expect(await waits(observers[1]) == false)
    _ = observers[1].poll(after: .none)
    #expect(await waits(observers[1]))
    _ = observers[2].poll(after: .none)
    _ = storage.finish()
    #expect(await waits(observers[2]) == false)
  }

  @Test(
    "a waiter that its observer removed is not in the list, even before the list's first removeAll()")
  func removedByItsObserver() {
    var list = WaiterList()
    var waiters = ObserverWaiters()
    let (other, mine) = (ReaderWaiter(), waiters.primary)
    _ = waiters.checkOut()
    for waiter in [mine, other] { list.insert(waiter) }
    let taken = waiters.unlist(from: &list)
    #expect(taken === mine)
    let isTakenAgain = list.remove(mine)
    #expect(!isTakenAgain)
    #expect(list.first === other)
  }

  @Test(
    "a reader gives way if it missed a value since its last read, but not at its first read or after a wait")
  func givesWay() {
    let storage = StateStorage(0)
    for value in 1...5 { storage.send(value) }
    let observer = LatestValueObserver(of: storage)
    let givesWay = { (parking: Parking, values: Int) -> Bool in
      observer.readStart = .poll
      for value in 0..<values { storage.send(value) }
      _ = observer.poll(after: parking)
      return observer.readStart == .yield
    }
    #expect(!givesWay(.none, 0))
    #expect(!givesWay(.none, 1))
    #expect(givesWay(.none, 2))
    #expect(!givesWay(.primary, 2))
  }

  @Test("a reader that gives way finds the latest value, and then waits for the next one")
  func waitsAfterGivingWay() async {
    let storage = StateStorage(0)
    let observer = LatestValueObserver(of: storage)
    for value in 1...3 {
      observer.readStart = .yield
      storage.send(value)
      #expect(await observer.next(isolation: nil) == value)
    }
    observer.readStart = .yield
    async let next = observer.next(isolation: nil)
    while storage.guarded.withLock({ $0.waiting.first == nil }) { await Task.yield() }
    storage.send(4)
    #expect(await next == 4)
    #expect(observer.readStart == .park)
    storage.send(5)
    #expect(await observer.next(isolation: nil) == 5)
    #expect(observer.readStart == .poll)
  }

  @Test("a reader that gives way lets other tasks run, unless it is on an actor", arguments: [true, false])
  func turns(onAnActor: Bool) async {
    // A read on an actor is compared with a poll, and any other one with a read that is also ready to wait.
    let least = await Self.turns(ofAReadBeginningWith: onAnActor ? .poll : .park, onAnActor: onAnActor)
    let turns = await Self.turns(ofAReadBeginningWith: .yield, onAnActor: onAnActor)
    #expect(onAnActor ? turns == least : turns > least)
  }

  @Test("a waiter that was removed with all others is not removed again", arguments: 0..<4)
  func removedOnce(index: Int) {
    var list = WaiterList()
    let waiters = (0..<4).map { _ in ReaderWaiter() }
    for waiter in waiters { list.insert(waiter) }
    let chain = list.removeAll()
    #expect(list.count == 0)
    let isTakenAgain = list.remove(waiters[index])
    #expect(!isTakenAgain)
    var later = WaiterList()
    later.first = chain
    #expect(later.count == 4)
  }

  @Test("waiters can be removed in any order, and the others stay in the list")
  func anyOrder() {
    for order in Self.permutations(of: [0, 1, 2, 3]) {
      var list = WaiterList()
      let waiters = (0..<4).map { _ in ReaderWaiter() }
      for waiter in waiters { list.insert(waiter) }
      var left = Set(0..<4)
      for index in order {
        let isTaken = (list.remove(waiters[index]), list.remove(waiters[index]))
        #expect(isTaken == (true, false))
        left.remove(index)
        let listed = Self.chain(from: list.first).compactMap { waiter in waiters.firstIndex { $0 === waiter }
        }
        #expect(listed.sorted() == left.sorted())
      }
      #expect(list.isEmpty)
      list.insert(waiters[0])
      #expect(list.count == 1)
    }
  }

  private static func chain(from first: Waiter?) -> [Waiter] {
    Array(sequence(first: first) { $0?.next }.prefix { $0 != nil }.compactMap { $0 })
  }

  private static func permutations(of items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.indices.flatMap { index in
      var others = items
      let item = others.remove(at: index)
      return permutations(of: others).map { [item] + $0 }
    }
  }
}
