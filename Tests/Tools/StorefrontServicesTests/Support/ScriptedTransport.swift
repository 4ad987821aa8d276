import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport whose requests wait until the test answers them, in the order in which the client sends them.
final class ScriptedTransport: HTTPTransport {
  typealias Completion = @Sendable (Result<TransportResponse, any Error>) -> Void

  private struct State: Sendable {
    var requests: [URLRequest] = []
    var completions: [Int: Completion] = [:]
    var cancelled: Set<Int> = []
    var peak = 0
  }

  private let state = Monitor(State())

  /// All requests so far.
  var requests: [URLRequest] { state.snapshot.requests }

  /// The number of requests that were neither answered nor cancelled.
  var openCount: Int { state.snapshot.completions.count }

  /// The largest number of requests that were open at the same time.
  var peakOpenCount: Int { state.snapshot.peak }

  func send(_ request: URLRequest, completion: @escaping Completion) -> CancellationToken {
    let number = state.update { state in
      state.requests.append(request)
      state.completions[state.requests.count] = completion
      state.peak = max(state.peak, state.completions.count)
      return state.requests.count
    }
    return CancellationToken { [state] in
      let completion = state.update { state in
        state.cancelled.insert(number)
        return state.completions.removeValue(forKey: number)
      }
      withExtendedLifetime(completion) {}
    }
  }

  /// Waits until the client has sent `count` requests. Returns early only if the calling task is cancelled.
  func waitForRequests(_ count: Int) async {
    _ = await state.waitUnlessCancelled { $0.requests.count >= count }
  }

  /// Waits until the client has cancelled `count` requests. Returns early only if the calling task is cancelled.
  func waitForCancellations(_ count: Int) async {
    _ = await state.waitUnlessCancelled { $0.cancelled.count >= count }
  }

  /// Waits for a request, counted from 1, and answers it.
  func answer(
    _ number: Int, _ status: Int = 200, _ fields: [String: String] = [:], body: String = "[]"
  ) async throws {
    await waitForRequests(number)
    let url = try #require(requests.dropFirst(number - 1).first?.url)
    let fields = fields.merging(["Content-Type": "application/json"]) { field, _ in field }
    let head = try #require(
      HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
    try end(number, .success((Data(body.utf8), head)))
  }

  /// Waits for a request, counted from 1, and fails it.
  func fail(_ number: Int, with error: any Error) async throws {
    await waitForRequests(number)
    try end(number, .failure(error))
  }

  private func end(_ number: Int, _ result: Result<TransportResponse, any Error>) throws {
    let completion = state.update { $0.completions.removeValue(forKey: number) }
    let open = try #require(completion, "request \(number) is not open")
    open(result)
  }
}

extension StorefrontClient {
  /// The URL of a server that only a ``ScriptedTransport`` reaches.
  static let shop = URL(string: "http://shop.example")!
}
