public import Foundation

/// An error for a request that was not repeated, because the app could not get a new access token.
///
/// The service did not apply the request. The texts, the mirror and `dump` hide ``cause``, which
/// could contain a token.
public struct TokenRefreshError: Error {
  /// The error of the refresh.
  public let cause: any Error

  /// Creates an error.
  public init(cause: any Error) { self.cause = cause }
}

extension TokenRefreshError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "The access to the service could not be renewed." }

  public var errorDescription: String? { description }

  public var debugDescription: String { description }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
