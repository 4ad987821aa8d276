#if canImport(FoundationNetworking)
  package import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// How a storefront over HTTP sends requests. Every option has a default.
///
/// ```swift
/// var options = HTTPOptions(limits: HTTPLimits(deadline: .seconds(20)))
/// options.middleware = [authorization]
/// let storefront = try HTTPStorefront(baseURL: url, options: options)
/// ```
public struct HTTPOptions: Sendable {
  /// How long requests may take, how many run at the same time, and how much they may receive.
  public var limits: HTTPLimits
  /// Whether and when a failed request is sent again.
  public var retry: HTTPRetryPolicy
  /// The middleware, in the order in which it sees a request.
  public var middleware: [any HTTPMiddleware]
  /// The memory for responses that have an `ETag`, in bytes. If it is 0, no response is stored.
  ///
  /// Each request for a stored response asks the server whether it has changed. If not, the server
  /// sends no body. The least recently used responses leave first, and all after a memory warning.
  /// A stored response serves only requests with the same fields, because any field can select the
  /// user, such as `Cookie`. A middleware that adds a random ID prevents its use.
  public var cacheSize: Int
  /// Whether a page with an element that cannot be decoded is an error. By default, the page leaves
  /// such elements out, and reports their number as ``/StorefrontDomain/Page/omittedCount``. If no
  /// element can be decoded, the page is always an error.
  public var needsAllPageItems = false
  /// The configuration of `URLSession`. Its cache, cookies, timeout and connections are replaced.
  ///
  /// On Linux, set it only if you need it. Otherwise, the storefront uses libcurl directly, because
  /// `URLSession` in Swift 6.3 has defects there: some malformed responses end the process, and a
  /// fast response without end blocks all sessions.
  public var configuration: URLSessionConfiguration?
  /// The clock that measures the deadline and the waits before retries.
  public var clock: any Clock<Duration>
  /// Creates the source of random waits before the retries of one call.
  public var makeGenerator: @Sendable () -> any RandomNumberGenerator
  package var memoryPressure: any MemoryPressureSource = SystemMemoryPressure()
  package var now: @Sendable () -> Date = { Date() }

  /// Creates options. Every option has a default.
  ///
  /// - Precondition: `cacheSize` is not negative.
  public init(
    limits: HTTPLimits = HTTPLimits(), retry: HTTPRetryPolicy = HTTPRetryPolicy(),
    middleware: [any HTTPMiddleware] = [], cacheSize: Int = 4 << 20,
    configuration: URLSessionConfiguration? = nil, clock: any Clock<Duration> = ContinuousClock(),
    makeGenerator: @escaping @Sendable () -> any RandomNumberGenerator = { SystemRandomNumberGenerator() }
  ) {
    precondition(cacheSize >= 0, "HTTPOptions: the cache size must not be negative, but is \(cacheSize)")
    self.limits = limits
    self.retry = retry
    self.middleware = middleware
    self.cacheSize = cacheSize
    self.configuration = configuration
    self.clock = clock
    self.makeGenerator = makeGenerator
  }
}

extension HTTPOptions: CustomReflectable {
  /// A mirror without the middleware and the configuration, which can contain secrets.
  public var customMirror: Mirror {
    Mirror(self, children: ["limits": limits, "retry": retry, "cacheSize": cacheSize])
  }
}

extension HTTPOptions: CustomStringConvertible {
  public var description: String {
    "HTTPOptions(limits: \(limits), retry: \(retry), cacheSize: \(cacheSize))"
  }
}
