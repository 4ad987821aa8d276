public import AsyncViewModels
public import StorefrontDomain

/// The state of the dashboard, and the rules by which it changes. The closure, stream and async view models share this type, and
/// none of them adds a rule.
///
/// Each part has its own content, failure and load, independent of the other parts. An empty list is content,
/// too. A product or an order that a service returns twice is shown once, as the later one. A part that has content shows the content
/// even during a refresh and after a failed refresh: use ``loadingParts`` and ``failures`` to find out whether the part is being loaded
/// again, or why its last load failed. If a load is cancelled, its part is as it was before the load.
///
/// The parts never show two users. There are two signs of another user:
///
/// | sign | when |
/// | --- | --- |
/// | a newer ``/StorefrontDomain/AccountVersion`` | an intent or a notification comes after the change of the account |
/// | a profile with another ``/StorefrontDomain/Profile/id`` | the profile arrives |
///
/// Both remove the content of all earlier loads and load these parts again. Without the first sign, orders of the next user can arrive
/// before the profile, beside the old profile.
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
  /// The account for which the loads are requested.
  package private(set) var account: AccountVersion
  /// The number of the newest loads. Loads that begin together have the same number.
  private var newestLoad = 0
  /// The number of the newest load of each part.
  private var loads = DashboardParts { 0 }
  /// The number of the load that has returned the content of each part.
  private var contentLoads = DashboardParts { 0 }
  private var knownProfile: Profile?
  private var knownOrders: [Order]?
  private var knownRecommendations: [CatalogProduct]?

  /// - Parameter account: The account for which the first loads are requested.
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

  /// The failures of the parts whose last load failed, whether they have content or not. A part that is being loaded is not
  /// included.
  public var failures: [DashboardPart: any Error] {
    lastFailures.filter { !loadingParts.contains($0.key) }
  }

  /// Returns the parts that an intent waits for, in the order of the cases of ``DashboardPart``, including the parts that are
  /// already being loaded.
  ///
  /// - Parameter account: The account at the time of the intent.
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

  /// Returns the parts that an intent requests. A refresh replaces the loads in progress, and so does the first intent for a newer
  /// account. That intent requests every part that was requested before. The other intents join the loads in progress.
  package func requests(of intent: DashboardIntent, for account: AccountVersion) -> [DashboardPart] {
    if case .refresh = intent { return DashboardPart.allCases }
    let parts = parts(of: intent, for: account)
    if isNew(account) { return DashboardPart.allCases.filter { isKnown($0) || parts.contains($0) } }
    return parts.filter { !loadingParts.contains($0) }
  }

  /// Records that parts are being loaded. Pass the result of each load to ``receive(_:for:)``. If the account is newer than that of
  /// the content, removes the content and the failures of all parts.
  package mutating func begin(_ parts: [DashboardPart], for account: AccountVersion) {
    if isNew(account) {
      self.account = account
      _ = removeLoads(before: newestLoad + 1)
    }
    begin(parts)
  }

  /// Records the result of loading a part. After a cancellation, the part is as it was before the load.
  ///
  /// - Returns: The parts to request: this part, if a notification has arrived during its load, and the parts whose load began before
  ///   the load that has returned the profile of another user. Their new loads have begun, in place of those in progress.
  package mutating func receive(
    _ outcome: TaskOutcome<DashboardAnswer>, for part: DashboardPart
  ) -> [DashboardPart] {
    loadingParts.remove(part)
    let isOutdated = outdatedLoads.remove(part) != nil
    var requests = isOutdated ? [part] : []
    switch outcome {
    case .success(let answer):
      lastFailures[part] = nil
      if isOfAnotherUser(answer) { requests += removeLoads(before: loads[part]) }
      keep(answer)
      contentLoads[part] = loads[part]
      if !isOutdated { outdatedParts.remove(part) }
    case .failure(let error): lastFailures[part] = error
    case .cancelled: return []
    }
    begin(requests)
    return requests
  }

  /// Ends all loads, and restores each part to its state from before its load. The next ``DashboardIntent/load`` loads the parts that
  /// are out of date.
  package mutating func cancel() {
    (loadingParts, outdatedLoads) = ([], [])
  }

  /// Records a notification that the content has changed elsewhere. Begins to load every part again that has been loaded or has failed.
  /// A part that is being loaded is loaded once more after that, however many notifications arrive until then. If the account is newer
  /// than that of the loads, the new loads replace them instead, and the content and the failures are removed. A part that was never
  /// requested is left alone.
  ///
  /// - Parameter account: The account at the time of the notification.
  /// - Returns: The parts to request.
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

  /// Removes the content of loads before this number, and the failures of parts that were not requested since.
  ///
  /// - Returns: The parts that were requested before, but not since.
  private mutating func removeLoads(before number: Int) -> [DashboardPart] {
    let earlier = DashboardPart.allCases.filter { isKnown($0) && loads[$0] < number }
    for part in DashboardPart.allCases where contentLoads[part] < number { removeContent(of: part) }
    for part in earlier { lastFailures[part] = nil }
    return earlier
  }

  private func isNew(_ account: AccountVersion) -> Bool { account.number > self.account.number }

  private func isOfAnotherUser(_ answer: DashboardAnswer) -> Bool {
    guard case .profile(let profile) = answer, let knownProfile else { return false }
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
