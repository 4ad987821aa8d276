/// Whether libdispatch or the simulated world runs the blocks of dispatch queues.
///
/// The module `SimulatedQueues` adds `simulated`: the world runs the blocks, and the seed decides
/// when. A value applies only to the simulation that receives it.
public struct QueueScheduling: Hashable, Sendable {
  /// libdispatch runs the blocks, on threads that the seed does not control. A task that waits for
  /// such a block leaves the world, which fails the run.
  public static let real = QueueScheduling(isSimulated: false)

  let isSimulated: Bool

  /// Creates a value for the module `SimulatedQueues`, which passes the blocks to the world.
  package init(isSimulated: Bool) { self.isSimulated = isSimulated }
}
