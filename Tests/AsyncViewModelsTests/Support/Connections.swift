import AsyncViewModelsTesting
import Synchronization
import ToolkitTestSupport

/// A source of connections. A test sends values on each connection and can break the connection.
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

  /// Waits for the connection with this number, counted from 1, and returns its input.
  func opened(_ number: Int) async -> Messages.Continuation {
    await arrivals.waitForArrivals(number)
    // A cancelled wait ends early: the caller then gets the input of a connection that has no reader.
    return opened.withLock { $0.count >= number ? $0[number - 1] : nil } ?? Messages.makeStream().continuation
  }

  /// Waits for the connection with this number and breaks it.
  func fail(_ number: Int, _ error: any Error = Refused()) async {
    await opened(number).finish(throwing: error)
  }
}
