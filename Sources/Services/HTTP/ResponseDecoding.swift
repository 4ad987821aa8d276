import AsyncViewModels
import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes of what came back either an answer or the error that says why there is none. Pure.
enum ResponseDecoding {
  /// The body of every error of the server, as far as it is of interest here.
  private struct ErrorBody: Decodable {
    let error: String
  }

  /// - Throws: ``ServiceError``, or what the endpoint makes of the status.
  static func value<Response>(
    of endpoint: Endpoint<Response>, in data: Data, _ response: URLResponse?
  ) throws -> Response {
    guard let response = response as? HTTPURLResponse else {
      throw ServiceError.malformed("\(endpoint.name): the answer is not HTTP")
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

  /// What became of a request that brought no answer: `CancellationError` where it was called off, else a
  /// ``ServiceError``.
  static func failure(of error: any Error) -> any Error {
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
