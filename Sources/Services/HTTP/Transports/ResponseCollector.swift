import Dispatch
import Foundation
import StorefrontDomain
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects a response up to a limit, and completes with the whole response or an error.
///
/// A response that is no success has a smaller limit: ``ResponseDecoding/errorBodyLength``. Beyond
/// it, the response has no body, so that its status is reported.
final class ResponseCollector: HTTPReceiver {
  typealias Completion = @Sendable (Result<TransportResponse, any Error>) -> Void

  private struct Progress {
    var head: HTTPURLResponse?
    var body = ReceivedBody()
    var isTooLong = false
  }

  private let progress = Mutex(Progress())
  private let bodyLength: Int
  private let completion: Completion

  init(bodyLength: Int, completion: @escaping Completion) {
    self.bodyLength = bodyLength
    self.completion = completion
  }

  /// Releases a long body on another thread, because it takes many milliseconds.
  deinit {
    let body = progress.withLock { exchange(&$0.body, with: ReceivedBody()) }
    if body.count > 1 << 20 { DispatchQueue.global().async { withExtendedLifetime(body) {} } }
  }

  func receive(_ head: HTTPURLResponse) -> Bool {
    progress.withLock { progress in
      progress.head = head
      progress.isTooLong = head.expectedContentLength > limit(of: head)
      return !progress.isTooLong
    }
  }

  func receive(_ part: Data) -> Bool {
    progress.withLock { progress in
      progress.isTooLong = part.count > limit(of: progress.head) - progress.body.count
      if !progress.isTooLong { progress.body.append(part) }
      return !progress.isTooLong
    }
  }

  private func limit(of head: HTTPURLResponse?) -> Int {
    guard let head, !Self.isSuccess(head) else { return bodyLength }
    return min(bodyLength, ResponseDecoding.errorBodyLength)
  }

  private static func isSuccess(_ head: HTTPURLResponse) -> Bool { (200..<300).contains(head.statusCode) }

  func end(with error: ServiceError?) {
    let progress = progress.withLock { exchange(&$0, with: Progress()) }
    completion(result(of: progress, error))
  }

  private func result(of progress: Progress, _ error: ServiceError?) -> Result<TransportResponse, any Error> {
    if progress.isTooLong {
      guard let head = progress.head, !Self.isSuccess(head) else {
        return .failure(ServiceError.tooLarge(limit: bodyLength))
      }
      return .success((Data(), head))
    }
    if let error { return .failure(error) }
    guard let head = progress.head else { return .failure(ServiceError.malformed("it is not HTTP")) }
    return .success((progress.body.joined, head))
  }
}

/// The parts of a body that has no known length.
///
/// A growing buffer would need up to three times the length of the body. The parts need twice the
/// length, at the end of a complete response.
private struct ReceivedBody {
  private static let partLength = 64 << 10

  private var parts: [Data] = []
  private(set) var count = 0

  /// Joins small parts, because each needs memory for itself.
  mutating func append(_ part: Data) {
    count += part.count
    if let last = parts.indices.last, parts[last].count + part.count <= Self.partLength {
      parts[last].append(part)
    } else {
      parts.append(part)
    }
  }

  var joined: Data {
    if parts.count == 1 { return parts[0] }
    var body = Data(capacity: count)
    for part in parts { body.append(part) }
    return body
  }
}
