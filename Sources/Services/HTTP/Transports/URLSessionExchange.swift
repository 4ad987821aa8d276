package import Foundation
package import StorefrontDomain
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request of a `URLSession` and the receiver of its response. It ends at most once.
final class URLSessionExchange: Sendable {
  private struct Progress {
    var task: URLSessionTask?
    var hasHead = false
    var receiver: (any HTTPReceiver)?
  }

  private let progress: Mutex<Progress>
  private let isSecure: Bool

  init(isSecure: Bool, receiver: any HTTPReceiver) {
    progress = Mutex(Progress(receiver: receiver))
    self.isSecure = isSecure
  }

  /// Passes the head on, unless it is interim. Returns whether the receiver wants the body.
  func receive(_ head: URLResponse) -> Bool {
    guard let head = head as? HTTPURLResponse, head.statusCode >= 200 else { return true }
    let receiver = progress.withLock { progress in
      progress.hasHead = true
      return progress.receiver
    }
    return receiver?.receive(head) ?? true
  }

  /// Passes a part of the body on. Returns whether the receiver wants the next part.
  func receive(_ part: Data) -> Bool {
    progress.withLock { $0.receiver }?.receive(part) ?? true
  }

  /// Ends the response.
  ///
  /// - Parameter head: The head, which `URLSession` on Linux may report only now.
  /// - Returns: The task to cancel if it has not completed, for the first caller.
  @discardableResult
  func end(with error: (any Error)? = nil, head: URLResponse? = nil) -> URLSessionTask? {
    let progress = close()
    guard let receiver = progress.receiver else { return progress.task }
    if let error {
      receiver.end(
        with: ServiceError(
          error as? URLError ?? URLError(.unknown), isSecure: isSecure, hasHead: progress.hasHead))
    } else {
      if !progress.hasHead, let head = head as? HTTPURLResponse { _ = receiver.receive(head) }
      receiver.end(with: nil)
    }
    return progress.task
  }

  var isOpen: Bool { progress.withLock { $0.receiver != nil } }

  /// Keeps the task of the exchange. Returns whether the exchange is still open.
  func keep(_ task: URLSessionTask) -> Bool {
    progress.withLock { progress in
      if progress.receiver != nil { progress.task = task }
      return progress.receiver != nil
    }
  }

  /// Releases the receiver without ending it. Returns the task to cancel, if one is kept.
  func abandon() -> URLSessionTask? { close().task }

  private func close() -> Progress { progress.withLock { exchange(&$0, with: Progress()) } }
}

extension ServiceError {
  /// The error for a request of a `URLSession` that failed without a complete response.
  ///
  /// `URLSession` on Linux reports many failures as `URLError.unknown`, so `hasHead` counts, too.
  package init(_ error: URLError, isSecure: Bool, hasHead: Bool) {
    self =
      switch error.code {
      case .timedOut: .timedOut
      case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: .offline
      case .cannotFindHost, .dnsLookupFailed: .unreachable("the host is unknown")
      case .cannotConnectToHost where !hasHead: .unreachable("the host does not accept the connection")
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
        .insecure
      case .unsupportedURL, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
        .malformed("it is not HTTP")
      case .unknown where isSecure && !hasHead: .insecure
      default: .connectionLost
      }
  }
}
