import StorefrontDomain
import StorefrontLoopbackServer

/// How a call of a service ended.
enum CallEnding: Equatable, Sendable {
  case expected(HostileResponse.Ending)
  case other(String)

  init(of call: () async throws -> Void) async {
    do {
      try await call()
      self = .expected(.value)
    } catch let error as ServiceError {
      self =
        switch error {
        case .connectionLost: .expected(.connectionLost)
        case .timedOut: .expected(.timedOut)
        case .malformed: .expected(.malformed)
        case .redirected: .expected(.redirected)
        case .tooLarge: .expected(.tooLarge)
        case .stillInProgress: .expected(.stillInProgress)
        case .keyReused: .expected(.keyReused)
        case .status(let code, _): .expected(.status(code))
        case .unreachable: .other("unreachable")
        case .insecure: .other("insecure")
        default: .other("\(error)")
        }
    } catch is CancellationError {
      self = .other("CancellationError")
    } catch {
      self = .other("\(error)")
    }
  }
}

extension HostileResponse {
  /// How a read ends, or `nil` if the transport cannot receive the response.
  func read(over transport: HTTPForm.Transport) -> Ending? { ending(read, over: transport) }

  /// How a write ends, or `nil` if the transport cannot receive the response.
  func write(over transport: HTTPForm.Transport) -> Ending? { ending(write, over: transport) }

  private func ending(_ ending: Ending, over transport: HTTPForm.Transport) -> Ending? {
    switch (transport, limit) {
    case (.standard, _), (.urlSession, nil): ending
    case (.urlSession, .ends(let ending)): ending
    case (.urlSession, .unusable): nil
    }
  }
}
