import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("Mutex: values taken out of a lock", .timeLimit(.minutes(5)), .endsWaits)
struct MutexTakeTests {
  @Test("a value that is replaced in `withLock` is released under the lock")
  func replacedInWithLock() {
    let shelf = Shelf()
    shelf.value.withLock { $0 = nil }
    #expect(shelf.wasFree == [false])
  }

  @Test("a value that is exchanged for another is released after the unlock")
  func exchanged() {
    let shelf = Shelf()
    shelf.value.exchange(Reentrant(2))
    #expect(shelf.wasFree == [true])
    #expect(shelf.value.withLock { $0?.number } == 2)
  }

  @Test("a value that is taken is released after the unlock")
  func taken() {
    let shelf = Shelf()
    shelf.value.take()
    #expect(shelf.wasFree == [true])
    #expect(shelf.value.withLock { $0 == nil })
  }

  @Test("a value that is taken and kept is not released")
  func takenAndKept() {
    let shelf = Shelf()
    let value = shelf.value.take()
    #expect(shelf.wasFree.isEmpty)
    #expect(value?.number == 1)
  }

  @Test("a part that is removed from the value is released after the unlock")
  func removed() {
    let shelf = Shelf()
    shelf.rows.take { $0.removeValue(forKey: 1) }
    #expect(shelf.wasFree == [true])
  }

  @Test("a part of a result that the caller ignores is released after the unlock")
  func ignoredPart() {
    let shelf = Shelf()
    let (count, _) = shelf.rows.take { ($0.count, exchange(&$0, with: [:])) }
    #expect(count == 1)
    #expect(shelf.wasFree == [true])
  }

  @Test("an error that the caller ignores is released after the unlock")
  func ignoredError() {
    let shelf = Shelf()
    try? shelf.rows.take { rows throws(Failure) -> Void in throw Failure(part: rows.removeValue(forKey: 1)) }
    #expect(shelf.wasFree == [true])
  }
}

private struct Failure: Error { let part: Reentrant? }

/// Two locks with a value each, which note on their release whether their lock is free.
private final class Shelf: Sendable {
  let value = Mutex<Reentrant?>(nil)
  let rows = Mutex<[Int: Reentrant]>([:])
  private let notes = DeliveryLog<Bool>()

  init() {
    value.withLock { value in
      value = Reentrant(1) { [weak self] in self?.note(self?.value.withLockIfAvailable { _ in }) }
    }
    rows.withLock { rows in
      rows[1] = Reentrant(1) { [weak self] in self?.note(self?.rows.withLockIfAvailable { _ in }) }
    }
  }

  /// For each release, whether the lock was free.
  var wasFree: [Bool] { notes.values }

  private func note(_ access: Void?) { notes.append(access != nil) }
}
