import AsyncViewModels

/// The values that a binding has received, in order.
@MainActor
final class SeenValues<Value> {
  var values: [Value] = []
}

extension ObservedState {
  /// Waits until the value satisfies the predicate.
  func wait(until predicate: (Value) -> Bool) async {
    while !predicate(value) { await Task.yield() }
  }
}
