/// A token that makes ``LiveObjects`` count the object or task that stores it.
///
/// ```swift
/// actor CheckoutViewModel {
///   private let liveObject = LiveObjectToken(.viewModel, "CheckoutViewModel")
/// }
/// ```
///
/// For a task, create the token before the task starts, and end the token as the task's last step:
///
/// ```swift
/// let liveObject = LiveObjectToken(.task, "upload")
/// Task {
///   defer { liveObject.end() }
///   await upload()
/// }
/// ```
///
/// The object counts until ``end()`` is called or the last copy of the token is released. It counts
/// in the ``LiveObjects/current`` instance at the token's creation, and in all enclosing instances
/// up to ``LiveObjects/process``. All copies of a token count as one object.
///
/// In a release build, a token costs nothing: it has no size, and its name is not evaluated.
///
/// - Lifetime: In an optimized build that defines `DEBUG`, a local variable keeps a token only
///   until the last use of the variable. Call ``end()`` in a `defer`, as in the example.
public struct LiveObjectToken: Sendable {
  #if DEBUG
    private let registration: LiveObjectRegistration

    /// Creates a token that counts its object under a name.
    public init(_ kind: LiveObjectCount.Kind, _ name: @autoclosure () -> String) {
      registration = LiveObjectRegistration(LiveObjectCount.Member(kind: kind, name: name()), in: .current)
    }

    /// Stops counting the object, even if copies of the token remain. Only the first call has an
    /// effect.
    public func end() { registration.end() }
  #else
    /// Creates a token that counts its object under a name.
    @export(implementation)
    public init(_ kind: LiveObjectCount.Kind, _ name: @autoclosure () -> String) {}

    /// Stops counting the object, even if copies of the token remain. Only the first call has an
    /// effect.
    @export(implementation)
    public func end() {}
  #endif
}

#if DEBUG
  import Synchronization

  /// The registration that all copies of a ``LiveObjectToken`` share, so that the object is counted
  /// once.
  final class LiveObjectRegistration: Sendable {
    private let member: LiveObjectCount.Member
    private let liveObjects: LiveObjects
    private let hasEnded = Atomic(false)

    init(_ member: LiveObjectCount.Member, in liveObjects: LiveObjects) {
      self.member = member
      self.liveObjects = liveObjects
      liveObjects.add(member)
    }

    func end() {
      guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
      liveObjects.remove(member)
    }

    deinit { end() }
  }
#endif
