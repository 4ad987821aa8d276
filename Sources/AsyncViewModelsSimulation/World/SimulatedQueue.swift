/// A dispatch queue in a simulated world.
///
/// A block of the queue is a job in the lane of the queue. A *shared* job may run beside other
/// shared jobs of the lane. All other jobs run alone, after the jobs that arrived earlier and
/// before the jobs that arrive later.
package final class SimulatedQueue {
  /// What decides the order of the blocks.
  package enum Kind: Sendable {
    /// The queue of the main actor.
    case main
    /// A serial queue that the app has created.
    case serial
    /// A concurrent queue that the app has created. Its blocks are shared, except barriers.
    case concurrent
    /// A global queue. Its blocks run in any order.
    case global
  }

  package let kind: Kind
  package let address: UInt
  package let label: String
  let lane: Int
  /// The number of the queue in the timeline.
  let task: Int
  /// The queue that runs the blocks of this queue, if it is serial.
  let target: SimulatedQueue?
  let isSuspended: () -> Bool
  /// Releases the queue. The world retains it so that no other queue gets the same address.
  let release: () -> Void

  init(
    kind: Kind, address: UInt, label: String, lane: Int, task: Int, target: SimulatedQueue?,
    isSuspended: @escaping () -> Bool, release: @escaping () -> Void
  ) {
    self.kind = kind
    self.address = address
    self.label = label
    self.lane = lane
    self.task = task
    self.target = target
    self.isSuspended = isSuspended
    self.release = release
  }

  /// Whether the main queue runs the blocks.
  package var runsOnMain: Bool { kind == .main || target?.runsOnMain ?? false }

  /// Whether a block runs beside other blocks of the queue.
  func shares(isBarrier: Bool) -> Bool { kind == .concurrent && !isBarrier }
}

/// The dispatch queues, notifications and timer sources that a world has used.
struct QueueRecords {
  var queues: [UInt: SimulatedQueue] = [:]
  var notifications: [GroupNotification] = []
  var timers: [UInt: SimulatedTimerSource] = [:]
  /// Whether a queue may be suspended.
  var canBeSuspended = false
}

/// Work that runs once a dispatch group is empty.
struct GroupNotification {
  let isDue: () -> Bool
  let run: () -> Void
  /// Releases the group. The world retains it so that no other group gets the same address.
  let release: () -> Void
}
