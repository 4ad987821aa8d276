#if !canImport(Darwin)
  import Foundation

  /// A value with an `NSLock`, which a simulated world sees. `@unchecked Sendable`: only the thread that holds the lock uses the value.
  final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
  }
#endif
