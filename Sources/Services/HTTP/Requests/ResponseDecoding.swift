import AsyncViewModels
import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The rules that turn an HTTP response into a value or an error.
///
/// A value has the status 200 and a body in the format of the endpoint, declared as JSON. A page
/// from a captive portal or a proxy is neither a value nor an error of the service.
enum ResponseDecoding {
  /// The most bytes in the body of an error or a redirection. A longer one is dropped.
  static let errorBodyLength = 64 << 10

  /// The statuses that refuse a write because of the service's data. Any other status of a repeated
  /// write can come from a gateway that has lost the first response, so the outcome stays unknown.
  private static let ownRefusals = [409, 422]

  /// The JSON body of an error that the service reports.
  private struct ErrorBody: Decodable {
    let error: String
  }

  /// The decoded response.
  ///
  /// - Parameter isRepeated: Whether an earlier request of the same call may have had the effect.
  /// - Throws: `ServiceError`, or the endpoint's own error for the status.
  static func value<Response>(
    of endpoint: Endpoint<Response>, in response: TransportResponse, isRepeated: Bool
  ) throws -> Response {
    let (body, head) = response
    switch head.statusCode {
    case 200: break
    case 200..<300:
      throw malformed(endpoint, "the status is \(head.statusCode) instead of 200")
    default:
      if isRepeated, let refusal = refusal(of: endpoint, response),
        let value = endpoint.madeEarlier(refusal)
      {
        return value
      }
      throw failure(of: endpoint, response, isRepeated: isRepeated)
    }
    guard head.isJSON, !head.isProblem else {
      let reason = head.contentType.map { "the content type is \($0) instead of JSON" }
      throw malformed(endpoint, reason ?? "the content type is missing")
    }
    do {
      return try endpoint.decode(body)
    } catch {
      throw malformed(endpoint, error.decodingReason(in: body))
    }
  }

  /// Runs `send`, and converts the errors of a transport, except for a cancellation by the caller.
  ///
  /// A request that the transport cancels fails with `ServiceError.connectionLost`. An app would
  /// ignore a `CancellationError`, and its screen would load forever.
  static func convertingErrors(
    _ send: () async throws -> TransportResponse
  ) async throws -> TransportResponse {
    do {
      return try await send()
    } catch is CancellationError where Task.isCancelled {
      throw CancellationError()
    } catch {
      throw error as? ServiceError
        ?? ServiceError(error as? URLError ?? URLError(.unknown), isSecure: false, hasHead: false)
    }
  }

  /// Runs `send`, adds the name of the endpoint to its errors, and passes errors of middleware on.
  static func namingErrors<Response>(
    of endpoint: Endpoint<Response>, _ send: () async throws -> TransportResponse
  ) async throws -> TransportResponse {
    do {
      return try await send()
    } catch ServiceError.malformed(let reason) {
      throw malformed(endpoint, reason)
    } catch let error where error is URLError || error is CancellationError {
      return try await convertingErrors { throw error }
    }
  }

  private static func failure<Response>(
    of endpoint: Endpoint<Response>, _ response: TransportResponse, isRepeated: Bool
  ) -> any Error {
    let status = response.head.statusCode
    if let key = endpoint.key, let error = IdempotencyProblem(response)?.error(for: key) { return error }
    guard let refusal = refusal(of: endpoint, response) else {
      return ServiceError.status(
        code: status, message: HTTPURLResponse.localizedString(forStatusCode: status))
    }
    if isRepeated, endpoint.key != nil, !ownRefusals.contains(status) {
      return ServiceError.status(code: status, message: refusal.message)
    }
    if let error = endpoint.failure(refusal) { return error }
    return status == 404
      ? ServiceError.notFound("\(endpoint.name): \(refusal.message)")
      : ServiceError.status(code: status, message: refusal.message)
  }

  /// The error that the service itself reports, if the response is in its format.
  private static func refusal<Response>(
    of endpoint: Endpoint<Response>, _ response: TransportResponse
  ) -> Endpoint<Response>.Refusal? {
    guard response.head.isJSON, let own = try? JSONDecoder().decode(ErrorBody.self, from: response.body)
    else { return nil }
    return Endpoint<Response>.Refusal(
      status: response.head.statusCode, message: own.error.presentable, body: response.body)
  }

  private static func malformed<Response>(_ endpoint: Endpoint<Response>, _ reason: String) -> ServiceError {
    .malformed("\(endpoint.name): \(reason.presentable)")
  }
}

extension HTTPURLResponse {
  fileprivate var contentType: String? { value(forHTTPHeaderField: "Content-Type") }

  /// The content type without parameters, in lowercase.
  var mediaType: String? {
    contentType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }

  /// Whether the body describes an error (RFC 9457).
  var isProblem: Bool { mediaType == IdempotencyProblem.contentType }

  fileprivate var isJSON: Bool {
    guard let name = mediaType else { return false }
    return name == "application/json" || name.hasPrefix("application/") && name.hasSuffix("+json")
  }
}

extension String {
  /// This server text for display: at most 200 Unicode scalars, and spaces in place of control,
  /// format and line separator characters.
  var presentable: String {
    let hidden: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
    var text = UnicodeScalarView()
    for scalar in unicodeScalars.prefix(200) {
      text.append(hidden.contains(scalar.properties.generalCategory) ? " " : scalar)
    }
    return unicodeScalars.dropFirst(200).isEmpty ? String(text) : String(text) + "…"
  }
}
