import Synchronization

/// A wish to end the run, heard between two samples.
///
/// Not the cancellation of a task: that would reach into the work which is being measured, and change it.
final class StopSignal: Sendable {
  private let raised = Atomic(false)

  var isRaised: Bool { raised.load(ordering: .relaxed) }

  func raise() { raised.store(true, ordering: .relaxed) }
}
