#if DEBUG
  import Synchronization

  /// What all copies of a ``LiveObjectToken`` share, so that it leaves the census once.
  final class LiveObjectRegistration: Sendable {
    private let member: LiveObjectCount.Member
    private let liveObject: LiveObjects
    private let hasEnded = Atomic(false)

    init(_ member: LiveObjectCount.Member, in liveObject: LiveObjects) {
      self.member = member
      self.liveObject = liveObject
      liveObject.arrive(member)
    }

    func end() {
      guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
      liveObject.leave(member)
    }

    deinit { end() }
  }
#endif
