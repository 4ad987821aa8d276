import AsyncViewModels

/// What a binding has shown, in order.
@MainActor
final class SeenValues<Value> {
  var values: [Value] = []
}

extension ObservedState {
  /// Returns when the mirror has a value that satisfies the predicate.
  func wait(until predicate: (Value) -> Bool) async {
    while !predicate(value) { await Task.yield() }
  }
}
