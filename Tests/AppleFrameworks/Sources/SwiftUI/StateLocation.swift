import Observation
import Synchronization

/// The value of a state. Code on any thread can read and write it.
final class StateLocation<Value>: Observable, @unchecked Sendable {
  private let registrar = ObservationRegistrar()
  private let lock = Mutex(())
  private var storage: Value

  init(_ value: Value) { storage = value }

  var value: Value {
    get {
      registrar.access(self, keyPath: \.value)
      return lock.withLock { _ in Unchecked(storage) }.value
    }
    set {
      let newValue = Unchecked(newValue)
      let isChanged = lock.withLock { _ in
        defer { storage = newValue.value }
        return !isEqual(storage, newValue.value)
      }
      // After the change, so that an update on the main thread cannot miss the new value.
      if isChanged { registrar.withMutation(of: self, keyPath: \.value) {} }
    }
  }

  /// A value that the lock protects.
  private struct Unchecked: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
}
