import Dispatch
import Foundation

/// Listens to Ctrl-C: the first asks the run to end after the present sample, the second ends the process at once.
struct Interruption {
  private let source: any DispatchSourceSignal

  init(raising stop: StopSignal) {
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
      if stop.isRaised { exit(130) }
      stop.raise()
      FileHandle.standardError.write(Data("\nStopping after this sample; Ctrl-C again stops at once.\n".utf8))
    }
    // The source hears the signal only where the default answer, which ends the process, is switched off.
    signal(SIGINT, SIG_IGN)
    source.resume()
  }

  func cancel() {
    source.cancel()
    signal(SIGINT, SIG_DFL)
  }
}
