import Foundation
import StorefrontDomain
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects a response up to a limit, and completes with the whole response or an error.
final class ResponseCollector: HTTPReceiver {
  typealias Completion = @Sendable (Result<HTTPAnswer, any Error>) -> Void

  private struct Progress {
    var head: HTTPURLResponse?
    var body = Data()
    var isTooLong = false
  }

  private let progress = Mutex(Progress())
  private let bodyLength: Int
  private let completion: Completion

  init(bodyLength: Int, completion: @escaping Completion) {
    self.bodyLength = bodyLength
    self.completion = completion
  }

  /// Keeps the head. Returns whether the announced body is within the limit.
  func receive(_ head: HTTPURLResponse) -> Bool {
    progress.withLock { progress in
      progress.head = head
      progress.isTooLong = head.expectedContentLength > bodyLength
      return !progress.isTooLong
    }
  }

  /// Appends a part of the body if the result is within the limit. Returns whether it is.
  func receive(_ part: Data) -> Bool {
    progress.withLock { progress in
      progress.isTooLong = part.count > bodyLength - progress.body.count
      if !progress.isTooLong { progress.body.append(part) }
      return !progress.isTooLong
    }
  }

  func end(with error: ServiceError?) {
    let progress = progress.withLock { exchange(&$0, with: Progress()) }
    completion(result(of: progress, error))
  }

  private func result(of progress: Progress, _ error: ServiceError?) -> Result<HTTPAnswer, any Error> {
    if progress.isTooLong { return .failure(ServiceError.tooLarge(limit: bodyLength)) }
    if let error { return .failure(error) }
    guard let head = progress.head else { return .failure(ServiceError.malformed("it is not HTTP")) }
    return .success((progress.body, head))
  }
}
