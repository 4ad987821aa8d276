import AsyncViewModels
package import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Pure functions that turn an HTTP response into a value or an error.
package enum ResponseDecoding {
  /// The reason in the body of an error response.
  private struct ErrorBody: Decodable {
    let error: String
  }

  /// The decoded response.
  ///
  /// - Throws: `ServiceError`, or the endpoint's own error for the status.
  package static func value<Response>(
    of endpoint: Endpoint<Response>, in data: Data, _ response: URLResponse?
  ) throws -> Response {
    guard let response = response as? HTTPURLResponse else {
      throw ServiceError.malformed("\(endpoint.name): the response is not HTTP")
    }
    guard (200..<300).contains(response.statusCode) else {
      throw failure(of: endpoint, status: response.statusCode, data)
    }
    do {
      return try endpoint.decode(data)
    } catch {
      throw ServiceError.malformed("\(endpoint.name): \(error.decodingReason)")
    }
  }

  /// The error of a request without a response: `CancellationError` if the request was cancelled, otherwise a
  /// `ServiceError`.
  package static func failure(of error: any Error) -> any Error {
    guard !error.isCancellation else { return CancellationError() }
    guard let error = error as? URLError, error.code == .timedOut else {
      return ServiceError.unreachable(error.localizedDescription)
    }
    return ServiceError.timedOut
  }

  private static func failure<Response>(
    of endpoint: Endpoint<Response>, status: Int, _ data: Data
  ) -> any Error {
    let message =
      (try? JSONDecoder().decode(ErrorBody.self, from: data))?.error
      ?? HTTPURLResponse.localizedString(forStatusCode: status)
    if let error = endpoint.failure(.init(status: status, message: message, body: data)) { return error }
    return status == 404
      ? ServiceError.notFound("\(endpoint.name): \(message)")
      : ServiceError.status(code: status, message: message)
  }
}
