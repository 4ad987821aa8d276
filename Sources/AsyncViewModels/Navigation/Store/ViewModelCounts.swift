/// What lives in a ``ViewModelStore`` at one moment.
public struct ViewModelCounts: Hashable, Sendable {
  /// View models that somebody uses.
  public var inUse = 0
  /// View models that nobody uses, in their grace. There is one task for each of them.
  public var retained = 0
  /// Users of all view models together.
  public var leases = 0

  public init(inUse: Int = 0, retained: Int = 0, leases: Int = 0) {
    self.inUse = inUse
    self.retained = retained
    self.leases = leases
  }

  /// View models, in use or not.
  public var live: Int { inUse + retained }
}
