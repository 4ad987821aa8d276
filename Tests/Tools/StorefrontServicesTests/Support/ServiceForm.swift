import Testing

/// The two forms of every service: completion handlers and async functions.
enum ServiceForm: CaseIterable, Sendable {
  case closure, async
}

/// A form of the storefront over HTTP, and what sends its requests.
struct HTTPForm: Sendable, CustomTestStringConvertible {
  let form: ServiceForm
  let transport: Transport

  enum Transport: Sendable {
    /// The transport of a storefront that is created without a configuration: libcurl on Linux, `URLSession` elsewhere.
    case standard
    /// The transport of a storefront that is created with a configuration.
    case urlSession
  }

  /// All forms over all transports of this platform.
  static let all: [Self] = {
    #if os(Linux)
      let transports = [Transport.standard, .urlSession]
    #else
      let transports = [Transport.standard]
    #endif
    return transports.flatMap { transport in
      ServiceForm.allCases.map { Self(form: $0, transport: transport) }
    }
  }()

  var testDescription: String { "\(form) form, \(transport) transport" }
}
