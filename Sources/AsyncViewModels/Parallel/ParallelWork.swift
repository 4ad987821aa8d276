public import Synchronization

/// The elements of one parallel run, which its workers take one by one, and their results.
///
/// There are as many workers as may run at once, and not as there are elements: to take the next element is one atomic
/// increment, where a child task of its own would be an allocation and a turn of the group.
///
/// `@unchecked Sendable`: the slot of an element is written only by the worker that took it, and all are read only when
/// every worker has ended.
@safe @usableFromInline
final class ParallelWork<Element: Sendable, Output: Sendable>: @unchecked Sendable {
  @usableFromInline let elements: [Element]
  @usableFromInline let takenCount = Atomic(0)
  @usableFromInline let slots: UnsafeMutableBufferPointer<Output?>

  @inlinable
  init(_ elements: some Collection<Element>) {
    self.elements = Array(elements)
    unsafe slots = .allocate(capacity: self.elements.count)
    unsafe slots.initialize(repeating: nil)
  }

  @inlinable
  deinit {
    unsafe slots.deinitialize()
    unsafe slots.deallocate()
  }

  @inlinable
  func workerCount(limit: Int?) -> Int { min(limit ?? .max, elements.count) }

  /// Takes elements, and keeps what `transform` makes of them, until all are taken or it throws.
  @inlinable
  func takeAll<Failure: Error>(_ transform: (Element) async throws(Failure) -> Output) async throws(Failure) {
    var index = takeOne()
    while index < elements.count {
      unsafe slots[index] = try await transform(elements[index])
      index = takeOne()
    }
  }

  @inlinable
  func takeOne() -> Int { takenCount.add(1, ordering: .relaxed).oldValue }

  /// The results in the order of the elements, when all workers have ended.
  @inlinable
  var results: [Output] { unsafe slots.compactMap { $0 } }
}
