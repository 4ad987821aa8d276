public import Foundation

/// What becomes of an answer on its way through the net.
extension SimulatedWorldFaults {
  /// What comes of an HTTP request that would be answered with `body` and `status`, at once: nothing is sent, and nothing waited for.
  ///
  /// Half of the answers come as they are. The others are, each as likely,
  /// - a status of 429, 500 or 503, without a body;
  /// - a body that ends anywhere before its end, or has nothing in it. One that was empty comes as it is;
  /// - a body that is not JSON, with the status of the answer: the page of a proxy or a log-in.
  ///
  /// - Throws: `URLError` with `.networkConnectionLost` or `.timedOut`, each as likely as one of those.
  public func answer(_ body: Data, status: Int = 200) throws(URLError) -> (status: Int, body: Data) {
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

  /// What is left of `data` when it ends too early; of nothing, nothing.
  func cut(_ data: Data, _ event: @autoclosure () -> String) -> Data {
    guard !data.isEmpty else { return data }
    let length = world.core.choose(data.count, quietly: true)
    world.log("\(event()) \(length) of \(data.count) bytes")
    return data.prefix(length)
  }
}
