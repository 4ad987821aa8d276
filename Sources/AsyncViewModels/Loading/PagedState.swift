/// A state that contains ``PagedItems``.
///
/// ```swift
/// struct ArticlesState: PagedState {
///   var articles = PagedItems<Article, Int>(first: 1)
///   var query = ""
/// }
/// ```
///
/// `updateInPlace(_:)` of its ``StateStore`` releases the items and failures that
/// ``PagedItems`` replaces after the unlock, because their `deinit` can run any code. In generic
/// code, require `State: PagedState`: otherwise, the compiler chooses the method that releases
/// under the lock.
public protocol PagedState: Sendable {}

extension PagedItems: PagedState {}

extension StateStore where Value: PagedState {
  /// Changes the value atomically and in place, and releases what ``PagedItems`` replaces after the
  /// unlock. Everything else is as for states without ``PagedItems``.
  ///
  /// - Returns: The value that `body` returns.
  /// - Throws: The error that `body` throws. It must only throw before it changes the value.
  /// - Complexity: One object, in addition to `body`.
  @export(implementation) @discardableResult
  public func updateInPlace<Output: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let replaced = ReplacedValues()
    defer { withExtendedLifetime(replaced) {} }
    return try storage.update(copiesOldValue: false) { value throws(Failure) in
      try replaced.collect { () throws(Failure) in try body(&value) }
    }
  }
}
