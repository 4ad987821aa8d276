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
