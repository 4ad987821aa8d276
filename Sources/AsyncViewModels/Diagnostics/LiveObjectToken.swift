/// The place of one object or task in the ``LiveObjects``: whoever stores it is counted for as long as it lives.
///
/// ```swift
/// actor CheckoutViewModel {
///   private let census = LiveObjectToken(.viewModel, "CheckoutViewModel")
/// }
/// ```
///
/// A task keeps one from before it starts, and ends it as its last act:
///
/// ```swift
/// let entry = LiveObjectToken(.task, "upload")
/// Task {
///   defer { entry.end() }
///   await upload()
/// }
/// ```
///
/// - Promises: counted once, in the census that is ``Census/current`` where it is made; until its last copy goes away, or ``end()``.
/// - Lifetime: in an optimized build that defines `DEBUG`, a local variable keeps an entry only until its last use. Call ``end()`` in a
///   `defer`, as above.
/// - Cost: none in a release build, where it has no size, and the name is not even computed.
public struct LiveObjectToken: Sendable {
  #if DEBUG
    private let ticket: LiveObjectRegistration

    /// Counts whoever stores this.
    public init(_ kind: LiveObjectCount.Kind, _ name: @autoclosure () -> String) {
      ticket = LiveObjectRegistration(LiveObjectCount.Member(kind: kind, name: name()), in: .current)
    }

    /// Counts it no longer, though copies may live. Only the first call does anything.
    public func end() { ticket.end() }
  #else
    /// Counts whoever stores this.
    @inlinable
    public init(_ kind: LiveObjectCount.Kind, _ name: @autoclosure () -> String) {}

    /// Counts it no longer, though copies may live. Only the first call does anything.
    @inlinable
    public func end() {}
  #endif
}
