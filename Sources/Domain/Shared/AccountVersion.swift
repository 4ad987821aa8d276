package import AsyncViewModels
import Synchronization

/// The account for which a request is made: the one at the time of the user's intent.
///
/// A request can wait, and the user can change meanwhile. So a view model reads the version before
/// the first wait, and calls the service with it:
///
/// ```swift
/// func add(_ product: CatalogProduct, completion: @escaping Completion) {
///   let account = AccountVersion.current
///   queue.async { [self] in
///     account.run { service.apply(change(product), key: key, completion: completion) }
///   }
/// }
/// ```
///
/// A storefront over HTTP sends nothing if its token was replaced after this version: the call
/// fails with the ``ServiceError/status(code:message:)`` 401. A service without accounts ignores
/// the version.
public struct AccountVersion: Hashable, Sendable {
  private static let latest = Atomic(0)
  @TaskLocal private static var bound: AccountVersion?

  /// Increases with each change of an account in the process.
  package let number: Int

  /// The version with which the caller runs, or else the newest one.
  public static var current: AccountVersion {
    bound ?? AccountVersion(number: latest.load(ordering: .acquiring))
  }

  /// Begins the next version, to which later calls belong.
  ///
  /// The replacement of a token does this. Call it after another change of the account, such as a
  /// new session cookie.
  @discardableResult
  public static func advance() -> AccountVersion {
    AccountVersion(number: latest.add(1, ordering: .acquiringAndReleasing).newValue)
  }

  /// Runs `body` and its tasks with this version as ``current``.
  public func run<Output>(_ body: () throws -> Output) rethrows -> Output {
    try Self.$bound.withValue(self) { try body() }
  }

  /// Runs `body` and its tasks with this version as ``current``, on the caller's actor.
  public nonisolated(nonsending) func run<Output>(_ body: () async throws -> Output) async rethrows -> Output
  {
    try await Self.$bound.withValue(self) { try await body() }
  }

  /// Runs `body` without a bound version, so that each call has the version of its moment.
  package static func runUnbound<Output>(_ body: () throws -> Output) rethrows -> Output {
    try $bound.withValue(nil) { try body() }
  }

  /// Runs `body` without a bound version, on the caller's actor.
  package nonisolated(nonsending) static func runUnbound<Output>(
    _ body: () async throws -> Output
  ) async rethrows -> Output {
    try await $bound.withValue(nil) { try await body() }
  }
}

/// Calls the async form of a service. Reads the account before the task starts.
package func performForAccount<Value: Sendable>(
  completion: @escaping @Sendable (Result<Value, any Error>) -> Void,
  _ work: @escaping @Sendable () async throws -> Value
) -> CancellationToken {
  let account = AccountVersion.current
  return .run(completion: completion) { try await account.run(work) }
}
