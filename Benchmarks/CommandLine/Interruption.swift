import Dispatch
import Foundation
import Synchronization

/// A request to end a run early, which the run checks between two steps.
///
/// The signal does not cancel the task of the run: a cancellation would reach the measured work and change its cost.
package final class StopSignal: Sendable {
  private let raised = Atomic(false)

  package init() {}

  package var isRaised: Bool { raised.load(ordering: .relaxed) }

  package func raise() { raised.store(true, ordering: .relaxed) }
}

/// Listens for Ctrl-C until ``cancel()``: the first Ctrl-C raises a stop signal, the second ends the process.
package struct Interruption {
  private let source: any DispatchSourceSignal

  package init(raising stop: StopSignal) {
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
      if stop.isRaised { exit(ExitCode.interrupted) }
      stop.raise()
      writeToStandardError("\nStopping after this step. Press Ctrl-C again to stop at once.\n")
    }
    // The default action would end the process before the source receives the signal.
    signal(SIGINT, SIG_IGN)
    source.resume()
  }

  package func cancel() {
    source.cancel()
    signal(SIGINT, SIG_DFL)
  }
}
