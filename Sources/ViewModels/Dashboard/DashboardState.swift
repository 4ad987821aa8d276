public import AsyncViewModels
public import StorefrontDomain

/// The state of the dashboard, and its rules, for all three stages.
///
/// The parts are loaded in parallel, in any order, and fail and are retried independently. A part
/// with content shows it during a refresh and after a failed one: see ``loadingParts`` and
/// ``failures``. A product or an order that a service returns twice is shown once, as the later
/// one.
///
/// - `load` requests the parts without content, or with content from before the latest
///   notification.
/// - `refresh` requests every part, and replaces the loads in progress, whose callers wait for the
///   new ones. All other intents join the loads in progress.
/// - `retry` and `retryFailed` request one part, or every part, whose last load failed.
/// - `cancel` restores each part to its state from before its load.
/// - A notification requests every part that was requested before. A part that is being loaded is
///   loaded once more after that, however many notifications arrive, and its callers wait. If that
///   load is cancelled or fails, the next `load` makes up for it.
///
/// The parts never show two users. A sign of another user removes all older content, and loads it
/// again:
///
/// | sign | when |
/// | --- | --- |
/// | a newer ``/StorefrontDomain/AccountVersion`` | an intent or a notification comes after the change of the account |
/// | a profile with another ``/StorefrontDomain/Profile/id`` | the profile arrives |
public struct DashboardState: Sendable {
  /// The parts that are being loaded.
  public private(set) var loadingParts: Set<DashboardPart> = []

  /// The parts with content from before the latest notification.
  public private(set) var outdatedParts: Set<DashboardPart> = []

  /// The latest failure of each part, until a success. A cancelled load shows it again.
  private var lastFailures: [DashboardPart: any Error] = [:]
  /// The loads in progress from before the latest notification.
  private var outdatedLoads: Set<DashboardPart> = []
  /// The account of the loads.
  package private(set) var account: AccountVersion
  /// The number of the newest loads. Loads that begin together share one.
  private var newestLoad = 0
  /// The number of the newest load of each part.
  private var loads = DashboardParts { 0 }
  /// The number of the load that has returned the content of each part.
  private var contentLoads = DashboardParts { 0 }
  private var knownProfile: Profile?
  private var knownOrders: [Order]?
  private var knownRecommendations: [CatalogProduct]?

  /// - Parameter account: The account of the first loads.
  package init(for account: AccountVersion = .current) { self.account = account }

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

  /// The failures of the parts whose last load failed and that are not being loaded.
  public var failures: [DashboardPart: any Error] {
    lastFailures.filter { !loadingParts.contains($0.key) }
  }

  /// Returns the parts that an intent waits for. `account` is that of the time of the intent.
  package func parts(of intent: DashboardIntent, for account: AccountVersion) -> [DashboardPart] {
    DashboardPart.allCases.filter { part in
      switch intent {
      case .load: !hasContent(part) || outdatedParts.contains(part) || isNew(account)
      case .refresh: true
      case .retry(let chosen): part == chosen && lastFailures[part] != nil
      case .retryFailed: lastFailures[part] != nil
      }
    }
  }

  /// Returns the parts that an intent requests. A refresh and the first intent for a newer account
  /// replace the loads in progress. A newer account requests every known part.
  package func requests(of intent: DashboardIntent, for account: AccountVersion) -> [DashboardPart] {
    if case .refresh = intent { return DashboardPart.allCases }
    let parts = parts(of: intent, for: account)
    if isNew(account) { return DashboardPart.allCases.filter { isKnown($0) || parts.contains($0) } }
    return parts.filter { !loadingParts.contains($0) }
  }

  /// Records that parts are being loaded. A newer account removes all content and failures.
  package mutating func begin(_ parts: [DashboardPart], for account: AccountVersion) {
    if isNew(account) {
      self.account = account
      _ = removeLoads(before: newestLoad + 1)
    }
    begin(parts)
  }

  /// Records the result of loading a part. Returns the parts that are loaded again: the part
  /// itself, after a notification during its load, and the parts of earlier loads, after the
  /// profile of another user.
  package mutating func receive(
    _ outcome: TaskOutcome<DashboardResponse>, for part: DashboardPart
  ) -> [DashboardPart] {
    loadingParts.remove(part)
    let isOutdated = outdatedLoads.remove(part) != nil
    var requests = isOutdated ? [part] : []
    switch outcome {
    case .success(let response):
      lastFailures[part] = nil
      if isOfAnotherUser(response) { requests += removeLoads(before: loads[part]) }
      keep(response)
      contentLoads[part] = loads[part]
      if !isOutdated { outdatedParts.remove(part) }
    case .failure(let error): lastFailures[part] = error
    case .cancelled: return []
    }
    begin(requests)
    return requests
  }

  package mutating func cancel() {
    (loadingParts, outdatedLoads) = ([], [])
  }

  /// Begins the loads that a notification causes, and returns their parts.
  package mutating func receiveNotification(for account: AccountVersion) -> [DashboardPart] {
    let known = DashboardPart.allCases.filter(isKnown)
    let requests = isNew(account) ? known : known.filter { !loadingParts.contains($0) }
    outdatedParts.formUnion(known)
    outdatedLoads.formUnion(loadingParts)
    begin(requests, for: account)
    return requests
  }

  private mutating func begin(_ parts: [DashboardPart]) {
    newestLoad += 1
    for part in parts { loads[part] = newestLoad }
    loadingParts.formUnion(parts)
    outdatedLoads.subtract(parts)
  }

  /// Removes the content and the failures of loads before this number, and returns their parts.
  private mutating func removeLoads(before number: Int) -> [DashboardPart] {
    let earlier = DashboardPart.allCases.filter { isKnown($0) && loads[$0] < number }
    for part in DashboardPart.allCases where contentLoads[part] < number { removeContent(of: part) }
    for part in earlier { lastFailures[part] = nil }
    return earlier
  }

  private func isNew(_ account: AccountVersion) -> Bool { account.number > self.account.number }

  private func isOfAnotherUser(_ response: DashboardResponse) -> Bool {
    guard case .profile(let profile) = response, let knownProfile else { return false }
    return profile.id != knownProfile.id
  }

  /// Whether a part has been loaded, has failed or is being loaded.
  private func isKnown(_ part: DashboardPart) -> Bool {
    hasContent(part) || lastFailures[part] != nil || loadingParts.contains(part)
  }

  private mutating func removeContent(of part: DashboardPart) {
    switch part {
    case .profile: knownProfile = nil
    case .orders: knownOrders = nil
    case .recommendations: knownRecommendations = nil
    }
  }

  private mutating func keep(_ response: DashboardResponse) {
    switch response {
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

/// A part of the dashboard.
public enum DashboardPart: String, CaseIterable, Sendable {
  /// The signed-in user.
  case profile
  /// The orders of the user.
  case orders
  /// The recommended products.
  case recommendations
}

/// An intent of the dashboard. ``DashboardState`` has the rules.
package enum DashboardIntent: Sendable {
  case load
  case refresh
  case retry(DashboardPart)
  case retryFailed
}

package enum DashboardResponse: Sendable {
  case profile(Profile)
  case orders([Order])
  case recommendations([CatalogProduct])
}

/// One value for each part of the dashboard.
package struct DashboardParts<Value> {
  private var profile, orders, recommendations: Value

  package init(_ makeValue: () -> Value) {
    (profile, orders, recommendations) = (makeValue(), makeValue(), makeValue())
  }

  package subscript(part: DashboardPart) -> Value {
    get {
      switch part {
      case .profile: profile
      case .orders: orders
      case .recommendations: recommendations
      }
    }
    set {
      switch part {
      case .profile: profile = newValue
      case .orders: orders = newValue
      case .recommendations: recommendations = newValue
      }
    }
  }
}

extension DashboardParts: Sendable where Value: Sendable {}
