extension TaskSlot {
  /// Loads a value into a state, and returns when the load is over.
  ///
  /// ```swift
  /// func load() async {
  ///   await slot.load(into: self) { [service] in try await service.headlines() }
  /// }
  /// ```
  ///
  /// | question | answer |
  /// | --- | --- |
  /// | begin | The state shows the load before the first suspension. |
  /// | end | The state shows the outcome before the callers return. See ``Loadable`` for the rule. |
  /// | calls that overlap | As the policy says. A replaced load never changes the state. Under `.serial` and `.concurrent`, the state shows a load until all loads are over. |
  /// | a caller is cancelled | It returns early. Without callers, the load ends as cancelled. The work of a caller that was cancelled before does not begin. |
  /// | ``cancel()`` | The state shows what it showed before the load, when the callers return. |
  /// | ownership | The load does not keep the owner alive. A waiting caller does. |
  ///
  /// Use a slot for each value.
  ///
  /// - Parameters:
  ///   - owner: The view model, or its store.
  ///   - isolation: The owner, or its global actor. Each change of the state runs there. Do not
  ///     pass it: the default is the isolation of the caller.
  ///   - work: Loads the value, on no actor. It does not touch the owner.
  public func load<Owner: StateSource, Value: Sendable>(
    into owner: Owner, isolation: isolated any Actor = #isolation,
    _ work: @escaping @Sendable () async throws -> Value
  ) async where Owner.State == Loadable<Value> {
    await load(\.self, of: owner, work)
  }

  /// Loads a value into a part of a state, such as `\.profile`. See ``load(into:isolation:_:)``.
  public func load<Owner: StateSource, Value: Sendable>(
    _ part: any WritableKeyPath<Owner.State, Loadable<Value>> & Sendable, of owner: Owner,
    isolation: isolated any Actor = #isolation,
    _ work: @escaping @Sendable () async throws -> Value
  ) async {
    if !owner.state[keyPath: part].isLoading { owner.store.update { $0[keyPath: part].begin() } }
    await start(on: owner, work) { [weak isolation] gate, caller, outcome in
      await gate.end(leaving: caller, in: isolation) { owner in
        let isLoading = gate.isBesideOthers
        owner.store.update { state in
          // The owner can have ended the load.
          state[keyPath: part].begin()
          state[keyPath: part].receive(outcome)
          if isLoading { state[keyPath: part].begin() }
        }
      }
    }.wait()
    // After a call of `cancel()`, nothing was committed.
    if !isRunning, owner.state[keyPath: part].isLoading {
      owner.store.update { $0[keyPath: part].cancel() }
    }
  }
}
