import Synchronization

/// The bindings of one ``ObservedState``. They are run on the main actor; a token may leave from any thread.
final class MirrorBindings<Value: Sendable>: Sendable {
  /// Says whether there is still somebody to tell.
  typealias Binding = @MainActor (Value) -> Bool

  private struct Guarded: Sendable {
    var lastNumber = 0
    var bindings: [Int: Binding] = [:]
  }

  private let guarded = Mutex(Guarded())

  var count: Int { guarded.withLock { $0.bindings.count } }

  func add(_ binding: @escaping Binding) -> CancellationToken {
    let number = guarded.withLock { guarded in
      guarded.lastNumber += 1
      guarded.bindings[guarded.lastNumber] = binding
      return guarded.lastNumber
    }
    return CancellationToken { [weak self] in self?.remove(number) }
  }

  @MainActor
  func deliver(_ value: Value) {
    for number in guarded.withLock({ $0.bindings.keys.sorted() }) {
      // One that ran before may have ended this one.
      guard let binding = guarded.withLock({ $0.bindings[number] }) else { continue }
      if !binding(value) { remove(number) }
    }
  }

  private func remove(_ number: Int) {
    // What the binding captured is released after the unlock: a deinit can be any code.
    withExtendedLifetime(guarded.withLock { $0.bindings.removeValue(forKey: number) }) {}
  }
}
