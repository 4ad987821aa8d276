import AsyncViewModels
import Foundation
import Synchronization
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport that answers each request at once, so that a test of a request that must not be sent cannot hang.
final class AnsweringTransport: HTTPTransport {
  /// The status and the body of an answer.
  typealias Answer = (status: Int, body: String)

  private let sent = Mutex<[URLRequest]>([])
  private let answer: @Sendable (_ number: Int) throws -> Answer

  /// Creates a transport whose answers come from `answer`, by the number of the request, counted from 1.
  init(_ answer: @escaping @Sendable (_ number: Int) throws -> Answer) { self.answer = answer }

  /// Creates a transport that confirms each deletion of post 1.
  convenience init() { self.init { _ in (200, #"{"deleted":1}"#) } }

  /// All requests so far.
  var requests: [URLRequest] { sent.withLock { $0 } }

  /// The tokens of all requests so far.
  var tokens: [String?] { requests.map { $0.value(forHTTPHeaderField: "Authorization") } }

  func send(
    _ request: URLRequest, completion: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
  ) -> CancellationToken {
    let number = sent.withLock { sent in
      sent.append(request)
      return sent.count
    }
    completion(
      Result {
        let (status, body) = try answer(number)
        let url = try #require(request.url)
        let head = try #require(
          HTTPURLResponse(
            url: url, statusCode: status, httpVersion: "HTTP/1.1",
            headerFields: ["Content-Type": "application/json"]))
        return (Data(body.utf8), head)
      })
    return .finished
  }
}
