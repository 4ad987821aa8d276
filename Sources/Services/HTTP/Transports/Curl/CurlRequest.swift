#if os(Linux)
  import Foundation
  import FoundationNetworking
  import Synchronization

  /// A request and its receiver, until the response ends or the request is abandoned.
  final class CurlRequest: Sendable {
    let request: URLRequest
    private let openReceiver: Mutex<(any HTTPReceiver)?>

    init(_ request: URLRequest, receiver: any HTTPReceiver) {
      self.request = request
      openReceiver = Mutex(receiver)
    }

    var receiver: (any HTTPReceiver)? { openReceiver.withLock { $0 } }

    /// Releases the receiver without ending it.
    func abandon() { _ = takeReceiver() }

    func takeReceiver() -> (any HTTPReceiver)? {
      openReceiver.withLock { exchange(&$0, with: nil) }
    }
  }
#endif
