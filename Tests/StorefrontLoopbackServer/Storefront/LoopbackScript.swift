package import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization

/// A function that answers a request instead of the routes of the storefront. Calls its completion handler on any thread.
package typealias LoopbackHandler =
  @Sendable (HTTPRequest, _ completion: @escaping @Sendable (HTTPResponse) -> Void) -> CancellationToken

/// The scripted faults and the counters of a server, shared between its thread and all callers.
final class LoopbackScript: Sendable {
  struct State: Sendable {
    /// A fault for the next `remaining` requests.
    struct Line: Sendable {
      let fault: LoopbackFault
      let path: String?
      var remaining: Int
    }

    /// Faults for a random share of the requests.
    struct RandomFaults: Sendable {
      let share: Double
      let faults: [LoopbackFault]
      var generator: SplitMix64

      mutating func next() -> LoopbackFault? {
        Double.random(in: 0..<1, using: &generator) < share ? faults.randomElement(using: &generator) : nil
      }
    }

    var lines: [Line] = []
    var randomFaults: RandomFaults?
    var requestCount = 0
    var connectionCount = 0
    var peakConnectionCount = 0
    var endedConnectionCount = 0
    var heldCount = 0
    /// The requests since the recording began. `nil` if the server does not record requests.
    var recorded: [RecordedRequest]?
    /// The number of calls of `LoopbackHTTPServer.release()`.
    var releases = 0
    /// The number of calls of `LoopbackHTTPServer.closeIdleConnections()`.
    var idleClosings = 0
    /// The bytes that `LoopbackHTTPServer.sendUnasked(_:)` sends, until the server has sent them.
    var unasked: [UInt8]?
    /// The bearer token that the server requires. `nil` if it requires none.
    var token: String?
    var sendsEntityTags = false
  }

  let state = Monitor(State())

  private let currentHandler = Mutex<LoopbackHandler?>(nil)

  var handler: LoopbackHandler? {
    get { currentHandler.withLock { $0 } }
    set { currentHandler.withLock { $0 = newValue } }
  }

  /// Returns the response to a request without the required token, or `nil` if the server handles the request.
  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    guard let token = state.snapshot.token, request.authorization != "Bearer \(token)" else { return nil }
    var response = HTTPResponse.error(401, "the token is missing or not valid")
    response.fields = ["WWW-Authenticate": "Bearer"]
    return response
  }

  /// Counts a request, and records its bytes if the server records requests. Returns the fault of the request and the
  /// number of releases so far. All of this is one atomic step.
  func begin(_ request: HTTPRequest, _ bytes: ArraySlice<UInt8>) -> (fault: LoopbackFault?, releases: Int) {
    state.update { state in
      state.requestCount += 1
      state.recorded?.append(RecordedRequest(request, bytes))
      let path = request.target.prefix { $0 != "?" }
      let fault = state.takeLine(for: path) ?? state.randomFaults?.next()
      if fault == .hold { state.heldCount += 1 }
      return (fault, state.releases)
    }
  }
}

extension LoopbackScript.State {
  /// Removes the first fault for `path`, and returns it.
  fileprivate mutating func takeLine(for path: Substring) -> LoopbackFault? {
    guard let index = lines.firstIndex(where: { $0.path.map { path == $0 } ?? true }) else { return nil }
    let fault = lines[index].fault
    lines[index].remaining -= 1
    if lines[index].remaining == 0 { lines.remove(at: index) }
    return fault
  }
}
