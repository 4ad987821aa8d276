public import AsyncViewModels
public import StorefrontDomain

/// The state of the dashboard, and the rules by which it changes. The closure, stream and async view models share this type, and
/// none of them adds a rule.
///
/// Each part has its own content, failure and load, independent of the other parts. An empty list is content,
/// too. A product or an order that a service returns twice is shown once, as the later one. A part that has content shows the content even during a refresh and after a failed refresh: use
/// ``loadingParts`` and ``failures`` to find out whether the part is being loaded again, or why its last load
/// failed. If a load is cancelled, its part is as it was before the load.
public struct DashboardState: Sendable {
  /// The parts that are being loaded.
  public private(set) var loadingParts: Set<DashboardPart> = []

  /// The parts whose content can be older than the latest notification. They are being loaded, unless that load has failed or was
  /// cancelled. The next load requests them again.
  public private(set) var outdatedParts: Set<DashboardPart> = []

  /// The latest failure of each part. A success removes the failure. Starting a new load does not clear the failure, so that the
  /// part shows the failure again if the new load is cancelled.
  private var lastFailures: [DashboardPart: any Error] = [:]
  /// The loads in progress that began before the latest notification. Their content can be out of date when it arrives.
  private var outdatedLoads: Set<DashboardPart> = []
  private var knownProfile: Profile?
  private var knownOrders: [Order]?
  private var knownRecommendations: [CatalogProduct]?

  package init() {}

  /// The signed-in user.
  public var profile: ViewState<Profile> { show(.profile, knownProfile) { _ in false } }

  /// The user's orders. `.empty` if there are none.
  public var orders: ViewState<[Order]> { show(.orders, knownOrders, isEmpty: \.isEmpty) }

  /// The recommended products. `.empty` if there are none.
  public var recommendations: ViewState<[CatalogProduct]> {
    show(.recommendations, knownRecommendations, isEmpty: \.isEmpty)
  }

  /// Whether any part is being loaded, for the first time or again.
  public var isLoading: Bool { !loadingParts.isEmpty }

  /// The failures of the parts whose last load failed, whether they have content or not. A part that is being loaded is not
  /// included.
  public var failures: [DashboardPart: any Error] {
    lastFailures.filter { !loadingParts.contains($0.key) }
  }

  /// Returns the parts that an intent waits for, in the order of the cases of ``DashboardPart``, including the parts that are
  /// already being loaded.
  package func parts(of intent: DashboardIntent) -> [DashboardPart] {
    DashboardPart.allCases.filter { part in
      switch intent {
      case .load: !hasContent(part) || outdatedParts.contains(part)
      case .refresh: true
      case .retry(let chosen): part == chosen && lastFailures[part] != nil
      case .retryFailed: lastFailures[part] != nil
      }
    }
  }

  /// Returns the parts that an intent requests. A refresh replaces the loads in progress. The other intents join the loads in
  /// progress.
  package func requests(of intent: DashboardIntent) -> [DashboardPart] {
    if case .refresh = intent { return DashboardPart.allCases }
    return parts(of: intent).filter { !loadingParts.contains($0) }
  }

  /// Records that parts are being loaded. Pass the result of each load to ``receive(_:for:)``.
  package mutating func begin(_ parts: some Sequence<DashboardPart>) {
    loadingParts.formUnion(parts)
    outdatedLoads.subtract(parts)
  }

  /// Records the result of loading a part. After a cancellation, the part is as it was before the load.
  ///
  /// - Returns: Whether to load the part again, because a notification has arrived during the load. The new load has begun.
  package mutating func receive(_ outcome: TaskOutcome<DashboardAnswer>, for part: DashboardPart) -> Bool {
    loadingParts.remove(part)
    let isOutdated = outdatedLoads.remove(part) != nil
    switch outcome {
    case .success(let answer):
      lastFailures[part] = nil
      keep(answer)
      if !isOutdated { outdatedParts.remove(part) }
    case .failure(let error): lastFailures[part] = error
    case .cancelled: return false
    }
    if isOutdated { begin([part]) }
    return isOutdated
  }

  /// Ends all loads, and restores each part to its state from before its load. The next ``DashboardIntent/load`` loads the parts that
  /// are out of date.
  package mutating func cancel() {
    (loadingParts, outdatedLoads) = ([], [])
  }

  /// Records a notification that the content has changed elsewhere. Begins to load every part again that has been loaded or has failed.
  /// A part that is being loaded is loaded once more after that, however many notifications arrive until then. A part that was never
  /// requested is left alone.
  ///
  /// - Returns: The parts to request.
  package mutating func receiveNotification() -> [DashboardPart] {
    let known = DashboardPart.allCases.filter {
      hasContent($0) || lastFailures[$0] != nil || loadingParts.contains($0)
    }
    let requests = known.filter { !loadingParts.contains($0) }
    outdatedParts.formUnion(known)
    outdatedLoads.formUnion(loadingParts)
    begin(requests)
    return requests
  }

  private mutating func keep(_ answer: DashboardAnswer) {
    switch answer {
    case .profile(let profile): knownProfile = profile
    case .orders(let orders): knownOrders = orders.latestOfEachID
    case .recommendations(let products): knownRecommendations = products.latestOfEachID
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

/// A part of the dashboard. Each part is loaded, fails and is retried independently of the others.
public enum DashboardPart: String, CaseIterable, Sendable {
  /// The signed-in user.
  case profile
  /// The orders of the user.
  case orders
  /// The recommended products.
  case recommendations
}

/// An intent of the dashboard: what the user or the app asks for.
package enum DashboardIntent: Sendable {
  /// Loads the parts without content.
  case load
  /// Loads every part again.
  case refresh
  /// Loads this part again if its last load failed.
  case retry(DashboardPart)
  /// Loads each part again if its last load failed.
  case retryFailed
}

/// The content of a part, as a service returns it.
package enum DashboardAnswer: Sendable {
  case profile(Profile)
  case orders([Order])
  case recommendations([CatalogProduct])
}

/// One value for each part of the dashboard.
package struct DashboardParts<Value> {
  private let profile, orders, recommendations: Value

  package init(_ makeValue: () -> Value) {
    (profile, orders, recommendations) = (makeValue(), makeValue(), makeValue())
  }

  package subscript(part: DashboardPart) -> Value {
    switch part {
    case .profile: profile
    case .orders: orders
    case .recommendations: recommendations
    }
  }
}

extension DashboardParts: Sendable where Value: Sendable {}
