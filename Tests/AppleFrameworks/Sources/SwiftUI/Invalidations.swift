import Synchronization

/// The nodes to evaluate in the next update. Code on any thread can add nodes, because it can change state.
final class Invalidations: Sendable {
  private struct Content {
    weak var host: ViewHost?
    /// The evaluations that are out of date, by the number of the node.
    var evaluations: [Int: Int] = [:]
    var hasScheduledUpdate = false
  }

  private let content = Mutex(Content())

  func connect(to host: ViewHost?) { content.withLock { $0.host = host } }

  var isEmpty: Bool { content.withLock { $0.evaluations.isEmpty } }

  /// Adds a node, and schedules an update on the main actor if none is scheduled.
  ///
  /// - Parameter evaluation: The evaluation of the node that is out of date. If the node has been evaluated
  ///   again in the meantime, the update ignores it.
  func insert(_ number: Int, evaluation: Int) {
    let host: ViewHost? = content.withLock { content in
      content.evaluations[number] = max(evaluation, content.evaluations[number] ?? 0)
      guard !content.hasScheduledUpdate, let host = content.host else { return nil }
      content.hasScheduledUpdate = true
      return host
    }
    guard let host else { return }
    Task { @MainActor [weak host] in
      for _ in 0..<(host?.turnsOfUpdate ?? 0) { await Task.yield() }
      self.content.withLock { $0.hasScheduledUpdate = false }
      host?.performScheduledUpdate()
    }
  }

  func removeAll() -> [Int: Int] {
    content.withLock { content in
      defer { content.evaluations = [:] }
      return content.evaluations
    }
  }
}
