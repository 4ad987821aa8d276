/// The dispatch queues and groups that a world has met.
struct QueueRecords {
  struct Queue {
    let lane: Int
    let task: Int
    /// Lets go of the queue, which is kept so that no other one gets its address meanwhile.
    let release: () -> Void
  }

  struct Group {
    var count = 0
    var waiting: [() -> Void] = []
  }

  var queues: [UInt: Queue] = [:]
  var groups: [UInt: Group] = [:]
}
