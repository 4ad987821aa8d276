/// A response of a broken or hostile server, made from the response that the server would send otherwise.
///
/// Send one with ``LoopbackFault/hostile(_:)``, or a random one with ``LoopbackHTTPServer/failRandomly(_:of:seed:)``. The server
/// handles the request before it sends the response, as a server behind a broken proxy would. So a write takes effect even if
/// its response does not say so.
///
/// Each response says how a strict client ends a read and a write that receive it. The storefronts over HTTP end in this way.
public struct HostileResponse: Sendable, CustomStringConvertible {
  /// How a client ends a request.
  public enum Ending: Equatable, Sendable {
    /// With the value of the response.
    case value
    /// With an error for this status.
    case status(Int)
    /// With an error for a response that is not what the client asked for.
    case malformed
    /// With an error for a redirection that the client must not follow.
    case redirected
    /// With an error for a body that is longer than the client allows.
    case tooLarge
    /// With an error for a connection that ended early or broke a rule of HTTP.
    case connectionLost
    /// With an error for a deadline.
    case timedOut
    /// With an error for a write that the server is still making.
    case stillInProgress
    /// With an error for a key that another write had.
    case keyReused
  }

  /// How `URLSession` handles a response on Linux, in Swift 6.3.
  public enum URLSessionLimit: Equatable, Sendable {
    /// The request ends in another way.
    case ends(Ending)
    /// `URLSession` ends the process, sometimes loses the end of the request, or is busy for a long time after the request
    /// is cancelled, also with the requests of other sessions.
    case unusable
  }

  /// The name, which is unique.
  public let name: String
  /// How a client ends a read.
  public let read: Ending
  /// How a client ends a write.
  public let write: Ending
  /// The limit of `URLSession` on Linux, or `nil` if a client that uses `URLSession` ends as this response says.
  public let limit: URLSessionLimit?
  /// The fault that sends this response instead of a response with `body`.
  let fault: @Sendable (_ body: String) -> LoopbackFault

  public var description: String { name }

  init(
    _ name: String, read: Ending, write: Ending, limit: URLSessionLimit? = nil,
    _ fault: @escaping @Sendable (String) -> LoopbackFault
  ) {
    self.name = name
    self.read = read
    self.write = write
    self.limit = limit
    self.fault = fault
  }

  init(
    _ name: String, _ ending: Ending, limit: URLSessionLimit? = nil,
    _ fault: @escaping @Sendable (String) -> LoopbackFault
  ) {
    self.init(name, read: ending, write: ending, limit: limit, fault)
  }
}

extension HostileResponse: Hashable {
  public static func == (one: Self, other: Self) -> Bool { one.name == other.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
