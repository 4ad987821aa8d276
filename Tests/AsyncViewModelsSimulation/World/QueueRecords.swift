/// The dispatch queues and groups that a world has used.
struct QueueRecords {
  struct Queue {
    let lane: Int
    let task: Int
    /// Releases the queue. The world retains it so that no other queue gets the same address.
    let release: () -> Void
  }

  struct Group {
    var count = 0
    var waiting: [() -> Void] = []
  }

  var queues: [UInt: Queue] = [:]
  var groups: [UInt: Group] = [:]
}
