/// The right to use a view model of a ``ViewModelStore``. A screen keeps it as long as it uses the view model; it ends when its last
/// reference goes away, on whatever thread that is.
///
/// - Lifetime: a local variable does not keep a lease until the end of its scope. An optimized build releases the lease after its
///   last use, and the view model does not keep it either. Store the lease in a property, or keep it with ``hold(isolation:_:)``.
public final class ViewModelLease<Model: AnyObject & Sendable>: Sendable {
  public let model: Model
  private let end: @Sendable () -> Void

  init(_ model: Model, end: @escaping @Sendable () -> Void) {
    self.model = model
    self.end = end
  }

  /// Runs `body` with the view model, and keeps the lease until `body` has ended.
  ///
  /// ```swift
  /// await store.lease(7).hold { model in await model.load() }
  /// ```
  ///
  /// - Isolation: `body` runs on the caller's actor.
  /// - Throws: what `body` throws.
  public func hold<Answer, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Model) async throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    defer { withExtendedLifetime(self) {} }
    return try await body(model)
  }

  deinit { end() }
}
