/// Keeps the optimizer from removing work whose result is not used.
@inline(never) @_optimize(none)
public func blackHole<Value>(_ value: Value) {}
