#if !canImport(Darwin)
  import Foundation

  /// A value with an `NSLock`, at which a world interrupts code. `@unchecked Sendable`: only the thread that holds the lock uses the value.
  final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
  }

  /// A value without a lock, for code of one world. `@unchecked Sendable`: only one thread runs code of a world at a time.
  final class Unguarded<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
  }
#endif
