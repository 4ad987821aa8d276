public import Synchronization

extension Collection where Element: Sendable {
  /// Transforms the elements concurrently, at most `limit` at a time, and returns the results in
  /// element order.
  ///
  /// ```swift
  /// let images = try await urls.concurrentMap(limit: 8) { url in try await load(url) }
  /// ```
  ///
  /// If one failure must not stop the others, use
  /// ``runConcurrently(limit:isolation:_:receive:)``.
  ///
  /// | event | effect |
  /// | --- | --- |
  /// | a transform throws | The running transforms are cancelled, and no other begins. After they have ended, the call throws the first error. |
  /// | the caller is cancelled | The running transforms are cancelled, and no other begins. If elements remain, the call throws `CancellationError`, or the first error of a transform. |
  /// | a transform ignores its cancellation | The call waits for it: when the call returns, no transform is running. |
  ///
  /// - Parameters:
  ///   - limit: How many elements are transformed at the same time: `nil` for all. A limit below 1
  ///     counts as 1.
  ///   - transform: Computes the value of an element.
  /// - Isolation: `transform` runs in child tasks, on no actor.
  /// - Throws: The first error of `transform`, or `CancellationError`.
  /// - Complexity: `limit` child tasks, or one for each element if there are fewer elements or no
  ///   `limit`.
  @export(implementation)
  public nonisolated(nonsending) func concurrentMap<Output: Sendable>(
    limit: Int? = nil, _ transform: @escaping @Sendable (Element) async throws -> Output
  ) async throws -> [Output] {
    let work = ParallelWork<Element, Output>(self)
    try await withThrowingDiscardingTaskGroup { group in
      for _ in 0..<work.workerCount(limit: limit) {
        group.addTask {
          try await work.takeAll { element in
            try Task.checkCancellation()
            return try await transform(element)
          }
        }
      }
    }
    return work.results
  }
}

/// The elements and the results of one concurrent call. Workers take the elements one by one.
///
/// A worker is a child task. There is one worker for each element that may be transformed at the
/// same time. Taking the next element is one atomic increment; a child task for each element would
/// cost an allocation and the bookkeeping of the task group.
///
/// `@unchecked Sendable`: only the worker that took an element writes the element's result in
/// `slots`. `slots` is read only after all workers have ended.
@safe @usableFromInline
final class ParallelWork<Element: Sendable, Output: Sendable>: @unchecked Sendable {
  @usableFromInline let elements: [Element]
  @usableFromInline let takenCount = Atomic(0)
  @usableFromInline let slots: UnsafeMutableBufferPointer<Output?>

  @export(implementation)
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

  @export(implementation)
  func workerCount(limit: Int?) -> Int { min(max(limit ?? .max, 1), elements.count) }

  /// Transforms elements and stores the results, until no element is left or `transform` throws.
  @export(implementation)
  func takeAll(_ transform: (Element) async throws -> Output) async throws {
    var index = takeOne()
    while index < elements.count {
      unsafe slots[index] = try await transform(elements[index])
      index = takeOne()
    }
  }

  @export(implementation)
  func takeOne() -> Int { takenCount.add(1, ordering: .relaxed).oldValue }

  /// The results in element order. Read them after all workers have ended.
  @export(implementation)
  var results: [Output] { unsafe slots.compactMap { $0 } }
}
