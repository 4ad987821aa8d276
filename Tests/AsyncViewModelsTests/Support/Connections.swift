import AsyncViewModelsTesting
import Synchronization

/// A source whose connections a test feeds and breaks.
final class Connections: Sendable {
  typealias Messages = AsyncThrowingStream<Int, any Error>

  private let opened = Mutex<[Messages.Continuation]>([])
  private let arrivals = Gate(isOpen: true)

  /// The number of connections so far.
  var count: Int { opened.withLock { $0.count } }

  func connect() async -> Messages {
    let (messages, input) = Messages.makeStream()
    opened.withLock { $0.append(input) }
    await arrivals.wait()
    return messages
  }

  /// Waits for the connection with this number, from 1.
  func opened(_ number: Int) async -> Messages.Continuation {
    await arrivals.waitForArrivals(number)
    return opened.withLock { $0[number - 1] }
  }

  /// Waits for the connection with this number and breaks it.
  func fail(_ number: Int, _ error: any Error = Refused()) async {
    await opened(number).finish(throwing: error)
  }
}
