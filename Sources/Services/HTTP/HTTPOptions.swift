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
  /// How long requests may take, how many run at the same time, and how much a response may contain.
  public var limits: HTTPLimits
  /// Whether and when a failed request is sent again.
  public var retry: HTTPRetryPolicy
  /// The middleware, in the order in which it sees a request.
  public var middleware: [any HTTPMiddleware]
  /// The memory for responses that have an `ETag`, in bytes. If it is 0, no response is stored.
  ///
  /// Each request for a stored response asks the server whether the response has changed. If not, the server sends no
  /// body. A stored response serves only requests with the same fields, because any field can select the user, such as `Cookie`. So a
  /// middleware that adds a different field to each request, such as a random ID, prevents the use of stored responses. If the memory is full, the least recently used responses are removed. All are removed after a memory warning of the system.
  public var cacheSize: Int
  /// Whether a page with an element that cannot be decoded is an error. By default, it is `false`: the page leaves such elements out, and
  /// reports their number as ``/StorefrontDomain/Page/omittedCount``. If no element can be decoded, the page is always an error.
  public var needsAllPageItems = false
  /// The configuration of the `URLSession`, such as its proxies, protocols and additional headers. The cache, the
  /// cookies, the timeout and the connection limit are replaced.
  ///
  /// On Linux, set a configuration only if you need it. Without one, the storefront uses libcurl directly, because
  /// `URLSession` in Swift 6.3 has defects there: some malformed responses end the process, and a fast response without end
  /// blocks all sessions.
  public var configuration: URLSessionConfiguration?
  /// The clock that measures the deadline and the waits before retries.
  public var clock: any Clock<Duration>
  /// Creates the source of the random numbers for the waits before the retries of one call.
  public var makeGenerator: @Sendable () -> any RandomNumberGenerator
  /// Removes the stored responses if the system needs memory.
  package var memoryPressure: any MemoryPressureSource = SystemMemoryPressure()
  /// The time of the device, for dates in responses.
  package var now: @Sendable () -> Date = { Date() }

  /// Creates options.
  ///
  /// - Parameters:
  ///   - limits: How long requests may take, how many run at the same time, and how much a response may contain.
  ///   - retry: Whether and when a failed request is sent again.
  ///   - middleware: The middleware, in the order in which it sees a request.
  ///   - cacheSize: The memory for responses that have an `ETag`, in bytes.
  ///   - configuration: The configuration of the `URLSession`, or `nil` for the best transport of the platform.
  ///   - clock: The clock that measures the deadline and the waits before retries.
  ///   - makeGenerator: Creates the source of the random numbers for the retries of one call.
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
