public import Foundation

// Faults of the network.

extension SimulatedWorldFaults {
  /// Simulates the response to an HTTP request. Sends nothing and does not wait.
  ///
  /// Half of the responses are `body` and `status`. The others have one of these faults, with equal
  /// probability:
  /// - a status of 503, 500 or 429 without a body (three faults)
  /// - a body that is truncated at any byte, possibly to no bytes (an empty body stays as it is)
  /// - an HTML page instead of `body`, with the given status, such as the login page of a proxy
  /// - a thrown error (two faults)
  ///
  /// - Throws: `URLError` with the code `.networkConnectionLost` or `.timedOut`.
  public func response(_ body: Data, status: Int = 200) throws(URLError) -> (status: Int, body: Data) {
    guard world.core.choose(2, quietly: true) == 1 else { return (status, body) }
    switch world.core.choose(7, quietly: true) {
    case 0: return refusal(503)
    case 1: return refusal(500)
    case 2: return refusal(429)
    case 3:
      world.log("loses the connection")
      throw URLError(.networkConnectionLost)
    case 4:
      world.log("is not answered in time")
      throw URLError(.timedOut)
    case 5: return (status, cut(body, "is answered with"))
    default:
      world.log("is answered with a page that is not JSON")
      return (status, Data("<html><body>Please log in.</body></html>".utf8))
    }
  }

  private func refusal(_ status: Int) -> (status: Int, body: Data) {
    world.log("is answered with \(status)")
    return (status, Data())
  }

  /// A random prefix of `data` that is shorter than `data`, or `data` itself if it is empty.
  func cut(_ data: Data, _ event: @autoclosure () -> String) -> Data {
    guard !data.isEmpty else { return data }
    let length = world.core.choose(data.count, quietly: true)
    world.log("\(event()) \(length) of \(data.count) bytes")
    return data.prefix(length)
  }
}
