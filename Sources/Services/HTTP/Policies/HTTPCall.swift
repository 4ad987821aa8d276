import AsyncViewModels
import Foundation
import StorefrontDomain
import Synchronization

/// What middleware knows about one call of the client, or one connection of the feed.
final class HTTPCall: Sendable {
  /// The call that sends the request of the current task.
  @TaskLocal static var current: HTTPCall?

  let account: AccountVersion
  /// Ends a call whose response is still arriving. `nil` for a call that waits for the whole one.
  private let end: (@Sendable (ServiceError) -> Void)?
  private let registrations = Mutex<[ObjectIdentifier: CancellationToken]>([:])
  private let place = Mutex<CancellationToken?>(nil)

  init(_ account: AccountVersion, end: (@Sendable (ServiceError) -> Void)? = nil) {
    self.account = account
    self.end = end
  }

  /// Keeps the place of a long response, to limit the memory. Returns whether it does.
  func keep(_ place: CancellationToken, for body: Data) -> Bool {
    guard body.count > DecodingQueue.shortLength else { return false }
    withExtendedLifetime(self.place.withLock { exchange(&$0, with: place) }) {}
    return true
  }

  /// Gives the place back: the response is decoded, or its middleware sends another request.
  func leavePlace() { place.withLock { $0.take() }?.cancel() }

  /// Ends an open response when `object` calls the handler. Registers once for each object.
  func end(with object: AnyObject, _ register: (@escaping @Sendable () -> Void) -> CancellationToken) {
    guard let end, registrations.withLock({ $0[ObjectIdentifier(object)] == nil }) else { return }
    let registration = register { end(.replacedToken) }
    registrations.withLock { $0[ObjectIdentifier(object)] = registration }
  }
}

extension ServiceError {
  /// The error of a request that could only be sent with the token of another user.
  static let replacedToken = ServiceError.status(
    code: 401, message: "the token was replaced before the request was sent")
}
