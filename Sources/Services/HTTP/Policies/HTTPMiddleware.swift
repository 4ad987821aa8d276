public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends a request and returns the whole response, also with a status such as 404.
///
/// - Throws: `CancellationError` if the task was cancelled, a ``/StorefrontDomain/ServiceError`` if
///   no complete response arrived, or the error of a middleware.
public typealias HTTPHandler =
  @Sendable (URLRequest) async throws -> (body: Data, head: HTTPURLResponse)

/// A step between a storefront and its server that can change requests and read responses.
///
/// The first one of ``HTTPOptions/middleware`` sees a request first and its response last:
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
/// | topic | rule |
/// | --- | --- |
/// | calls | For each request, redirection and retry, with the request of the storefront, without earlier changes. |
/// | responses | Each one, also an error or a redirection, and a confirmed stored response instead of status 304. |
/// | live feed | Its request passes, too. Its response has an empty body, because the server still sends events. A `ServiceError` after which a request can succeed later, such as `ServiceError.offline`, lets the feed connect again. Any other error ends it. |
/// | waits | A middleware can wait, or send requests in its task, without a place of ``HTTPLimits/connections``. A request has one within the last `next` and, if its response is longer than 32 KB, until it is decoded or the middleware sends another request. |
/// | cancellation | The task is cancelled with the caller of the storefront, and at ``HTTPLimits/deadline``. The caller does not wait for the middleware. |
/// | errors | Passed on unchanged, except: `ServiceError.malformed` gets the name of the request, a `URLError` becomes a ``/StorefrontDomain/ServiceError``, and a `CancellationError` without a cancelled caller becomes `ServiceError.connectionLost`. |
///
/// - Isolation: Called on no actor, for several requests at the same time.
/// - Important: Call `next` in the calling task, or in a task that inherits its task-local values:
///   in a detached task, ``BearerAuthorization`` does not notice that the user has changed. Call
///   `next` again for a write only with the same `Idempotency-Key` and body.
public protocol HTTPMiddleware: Sendable {
  /// Returns the response to a request. `next` sends it through the remaining middleware.
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
