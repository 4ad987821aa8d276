#if DEBUG
  import Synchronization

  /// What all copies of a ``CensusEntry`` share, so that it leaves the census once.
  final class CensusTicket: Sendable {
    private let member: CensusCount.Member
    private let census: Census
    private let hasEnded = Atomic(false)

    init(_ member: CensusCount.Member, in census: Census) {
      self.member = member
      self.census = census
      census.arrive(member)
    }

    func end() {
      guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
      census.leave(member)
    }

    deinit { end() }
  }
#endif
