import AsyncViewModels
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Stores responses that have an `ETag`, and returns them only after the server has confirmed them.
final class ResponseCache: HTTPMiddleware {
  private let responses: MemoryCache<String, StoredResponse>
  private let removals = Atomic(0)
  private let registration = Mutex<CancellationToken?>(nil)

  init(size: Int, _ memoryPressure: any MemoryPressureSource = SystemMemoryPressure()) {
    responses = MemoryCache(costLimit: size)
    let registered = memoryPressure.register { [weak self] in self?.removeAll() }
    registration.withLock { $0 = registered }
  }

  /// Removes all stored responses. The response to a running request is not stored.
  func removeAll() {
    removals.add(1, ordering: .releasing)
    responses.removeAll()
  }

  /// Removes a response that cannot be decoded. The server would confirm it again and again.
  func removeResponse(_ response: TransportResponse) {
    guard response.head.statusCode == 200, let url = response.head.url else { return }
    responses.removeValue(for: url.absoluteString)
  }

  func response(to request: URLRequest, next: HTTPHandler) async throws -> TransportResponse {
    guard StoredResponse.canServe(request), let url = request.url?.absoluteString else {
      return try await next(request)
    }
    let removals = removals.load(ordering: .acquiring)
    let stored = responses.value(for: url).flatMap { $0.matches(request) ? $0 : nil }
    let response = try await next(stored?.condition(on: request) ?? request)
    switch response.head.statusCode {
    case 200:
      store(StoredResponse(response, to: request), from: url)
      // `removeAll()` may have been called since the check or before it.
      if self.removals.load(ordering: .acquiring) != removals { responses.removeValue(for: url) }
    case 304:
      guard let stored else { break }
      if stored.isConfirmed(by: response.head) { return stored.response }
      // The server confirms another response than the stored one.
      responses.removeValue(for: url)
      return try await next(request)
    default: break
    }
    return response
  }

  private func store(_ response: StoredResponse?, from url: String) {
    if let response {
      responses.insert(response, for: url, cost: response.cost)
    } else {
      responses.removeValue(for: url)
    }
  }
}
