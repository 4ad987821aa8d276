public import AsyncViewModels
public import StorefrontDomain

/// What the dashboard's screen shows, and the rules by which it changes. All three stages use it; none adds a rule.
///
/// Of each part it keeps three things that do not depend on each other: the content of the last good answer, why the last request
/// failed, and whether a request is under way. Content goes first: a part that has some shows it while it refreshes, and also where
/// that fails; ``loadingParts`` and ``failures`` tell the rest. Nothing that is shown is given up before there is something better,
/// which is why a load that is called off leaves each part as it was.
public struct DashboardState: Sendable {
  /// The parts that were asked for and have not been answered.
  public private(set) var loadingParts: Set<DashboardPart> = []

  /// Tells what is under way now from what a cancel has called off.
  private var era = 0

  /// Kept while a part is tried again: a retry that is called off restores it.
  private var lastFailures: [DashboardPart: any Error] = [:]
  private var knownProfile: Profile?
  private var knownOrders: [Order]?
  private var knownRecommendations: [Product]?

  package init() {}

  /// Who is signed in.
  public var profile: ViewState<Profile> { show(.profile, knownProfile) { _ in false } }

  /// What the shopper has ordered; `.empty` where that is nothing.
  public var orders: ViewState<[Order]> { show(.orders, knownOrders, isEmpty: \.isEmpty) }

  /// What the shopper might like; `.empty` where there is nothing to recommend.
  public var recommendations: ViewState<[Product]> {
    show(.recommendations, knownRecommendations, isEmpty: \.isEmpty)
  }

  /// Whether any part is on its way, with or without older content to show.
  public var isLoading: Bool { !loadingParts.isEmpty }

  /// Why the parts failed whose last request did, whether or not they have content; a part that is tried again is not among them.
  public var failures: [DashboardPart: any Error] {
    lastFailures.filter { !loadingParts.contains($0.key) }
  }

  /// The parts that an intent is about, in their order, whether or not they are on their way already.
  package func parts(of intent: DashboardIntent) -> [DashboardPart] {
    DashboardPart.allCases.filter { part in
      switch intent {
      case .load: !hasContent(part)
      case .refresh: true
      case .retry(let chosen): part == chosen && lastFailures[part] != nil
      case .retryFailed: lastFailures[part] != nil
      }
    }
  }

  /// Notes that these parts have been asked for. The answer to each belongs into ``receive(_:for:)``.
  package mutating func begin(_ parts: some Sequence<DashboardPart>) { loadingParts.formUnion(parts) }

  /// Takes in what came of the request for a part. A request that was called off leaves the part as it was.
  package mutating func receive(_ outcome: TaskOutcome<DashboardAnswer>, for part: DashboardPart) {
    loadingParts.remove(part)
    switch outcome {
    case .success(let answer):
      lastFailures[part] = nil
      keep(answer)
    case .failure(let error): lastFailures[part] = error
    case .cancelled: break
    }
  }

  /// Calls off what is under way: each part is as it was before it was asked for.
  package mutating func cancel() {
    loadingParts = []
    era += 1
  }

  /// Whether what was under way for these parts in an earlier state still is.
  package func isLoading(_ parts: Set<DashboardPart>, since earlier: DashboardState) -> Bool {
    era == earlier.era && !loadingParts.isDisjoint(with: parts)
  }

  private mutating func keep(_ answer: DashboardAnswer) {
    switch answer {
    case .profile(let profile): knownProfile = profile
    case .orders(let orders): knownOrders = orders
    case .recommendations(let products): knownRecommendations = products
    }
  }

  private func hasContent(_ part: DashboardPart) -> Bool {
    switch part {
    case .profile: knownProfile != nil
    case .orders: knownOrders != nil
    case .recommendations: knownRecommendations != nil
    }
  }

  private func show<Value>(
    _ part: DashboardPart, _ content: Value?, isEmpty: (Value) -> Bool
  ) -> ViewState<Value> {
    if let content { return isEmpty(content) ? .empty : .loaded(content) }
    if loadingParts.contains(part) { return .loading }
    return lastFailures[part].map(ViewState.failed) ?? .idle
  }
}

/// What the dashboard consists of: each part is loaded, fails and is retried by itself.
public enum DashboardPart: String, CaseIterable, Sendable {
  case profile, orders, recommendations
}

/// What a shopper wants of the dashboard.
package enum DashboardIntent: Sendable {
  /// The parts that there is nothing to show of yet.
  case load
  /// Every part anew.
  case refresh
  /// This part, if its last request failed.
  case retry(DashboardPart)
  /// Every part whose last request failed.
  case retryFailed
}

/// What a service knows about a part.
package enum DashboardAnswer: Sendable {
  case profile(Profile)
  case orders([Order])
  case recommendations([Product])
}
