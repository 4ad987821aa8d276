public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A function that sends a request and returns the whole response.
///
/// - Throws: `CancellationError` if the task was cancelled, a ``/StorefrontDomain/ServiceError`` if no complete
///   response arrived, or the error of a middleware. A status such as 404 is a response, not an error.
public typealias HTTPHandler =
  @Sendable (URLRequest) async throws -> (body: Data, head: HTTPURLResponse)

/// A step between a storefront and its server that can change requests and read responses.
///
/// Install middleware with ``HTTPOptions/middleware``. The first one sees a request first and its response last:
///
/// ```swift
/// struct Language: HTTPMiddleware {
///   func response(
///     to request: URLRequest, next: HTTPHandler
///   ) async throws -> (body: Data, head: HTTPURLResponse) {
///     var request = request
///     request.setValue("sv", forHTTPHeaderField: "Accept-Language")
///     return try await next(request)
///   }
/// }
/// ```
///
/// - Isolation: The storefront calls the middleware on no actor, for several requests at the same time.
/// - Ordering: The storefront calls the middleware for each request that it sends, also for each redirection that it
///   follows and each retry. The request is always the request of the storefront, without the changes that a
///   middleware made to an earlier one. The middleware sees each response, also an error or a redirection. If the server
///   confirms a stored response, the middleware sees the stored response instead of status 304.
/// - Feed: The request of the live feed passes the middleware, too. Its response has an empty body, because the middleware
///   sees the head while the server still sends events. If the middleware throws a `ServiceError` after which a request can
///   succeed later, such as `ServiceError.offline`, the feed connects again. Any other error ends the feed.
/// - Waiting: A request counts toward ``HTTPLimits/connections`` within the last `next` and, if its response is longer than 32 KB, until
///   the response is decoded, or until the middleware sends another request. So a middleware can wait before `next`, or send other
///   requests in its task, without keeping a place.
/// - Tasks: Call `next` in the calling task, or in a task that inherits its task-local values. In a detached task,
///   ``BearerAuthorization`` does not notice that the user has changed since the call was made.
/// - Cancellation: The calling task is cancelled if the caller of the storefront is cancelled, or if
///   ``HTTPLimits/deadline`` has passed. The caller does not wait for a middleware that ignores the cancellation.
/// - Errors: The caller of the storefront receives an error of the middleware unchanged. Exceptions: the text of
///   `ServiceError.malformed` gets the name of the request and a limit of its length, a `URLError` becomes
///   a ``/StorefrontDomain/ServiceError``, and a `CancellationError` becomes `ServiceError.connectionLost` if the caller
///   was not cancelled.
/// - Important: A middleware may call `next` more than once. It must not send a write again that the server may have
///   made, unless it sends the same `Idempotency-Key` and body.
public protocol HTTPMiddleware: Sendable {
  /// Returns the response to a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - next: Sends a request through the remaining middleware to the server.
  func response(
    to request: URLRequest, next: HTTPHandler
  ) async throws -> (body: Data, head: HTTPURLResponse)
}

extension Sequence where Element == any HTTPMiddleware {
  /// The handler that passes a request through all middleware, in order, to `last`.
  func handler(before last: @escaping HTTPHandler) -> HTTPHandler {
    reversed().reduce(last) { next, middleware in
      { request in try await middleware.response(to: request, next: next) }
    }
  }
}
