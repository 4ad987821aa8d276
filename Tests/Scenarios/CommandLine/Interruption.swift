import Dispatch
import Foundation
import Synchronization

/// Listens to Ctrl-C: the first asks the run to end soon, the second ends the process at once.
final class Interruption {
  private let raised = Raised()
  private let source: any DispatchSourceSignal

  private final class Raised: Sendable {
    let flag = Atomic(false)
  }

  init() {
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { [raised] in
      if raised.flag.exchange(true, ordering: .relaxed) { exit(130) }
    }
    // The source hears the signal only where the default answer, which ends the process, is switched off.
    signal(SIGINT, SIG_IGN)
    source.resume()
  }

  var isRaised: Bool { raised.flag.load(ordering: .relaxed) }

  deinit {
    source.cancel()
    signal(SIGINT, SIG_DFL)
  }
}
