/// Keeps the optimiser from leaving out work whose result nobody uses.
@inline(never) @_optimize(none)
func blackHole<Value>(_ value: Value) {}
