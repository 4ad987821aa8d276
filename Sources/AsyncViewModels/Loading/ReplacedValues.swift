import Synchronization

/// The values that an update in place has replaced. They are released when this object is.
@usableFromInline
final class ReplacedValues: Sendable {
  @TaskLocal private static var current: ReplacedValues?

  private let values = Mutex<[any Sendable]>([])

  @usableFromInline
  init() {}

  /// Runs an update that keeps what it replaces until this object is released.
  @usableFromInline
  func collect<Output, Failure: Error>(
    _ update: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try Self.$current.withValue(self) { Result(catching: update) }.get()
  }

  /// Keeps a value until the end of the running update in place of a ``PagedState``, if any.
  @usableFromInline
  static func keep(_ value: some Sendable) { current?.values.withLock { $0.append(value) } }
}
