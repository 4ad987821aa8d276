public import AsyncViewModels
public import StorefrontDomain

/// The state of the dashboard, and its rules, for all three stages.
///
/// The parts are loaded in parallel, in any order, and fail and are retried independently. A part
/// with content shows it during a refresh and after a failed one. A product or an order that a
/// service returns twice is shown once, as the later one.
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
  /// The parts with content from before the latest notification.
  public private(set) var outdatedParts: Set<DashboardPart> = []

  private var loads = DashboardParts { Loadable<DashboardResponse>() }
  /// The loads in progress from before the latest notification.
  private var outdatedLoads: Set<DashboardPart> = []
  /// The account of the loads.
  package private(set) var account: AccountVersion
  /// The number of the newest loads. Loads that begin together share one.
  private var newestNumber = 0
  /// The number of the newest load of each part.
  private var numbers = DashboardParts { 0 }
  /// The number of the load that has returned the content of each part.
  private var contentNumbers = DashboardParts { 0 }

  /// - Parameter account: The account of the first loads.
  package init(for account: AccountVersion = .current) { self.account = account }

  /// The signed-in user.
  public var profile: Loadable<Profile> { loads[.profile].compactMap(\.profile) }

  /// The user's orders.
  public var orders: Loadable<[Order]> { loads[.orders].compactMap(\.orders) }

  /// The recommended products.
  public var recommendations: Loadable<[CatalogProduct]> { loads[.recommendations].compactMap(\.products) }

  /// The parts that are being loaded, for the first time or again.
  public var loadingParts: Set<DashboardPart> { Set(DashboardPart.allCases.filter(isLoading)) }

  /// Whether any part is being loaded, for the first time or again.
  public var isLoading: Bool { DashboardPart.allCases.contains(where: isLoading) }

  /// The failures of the parts whose last load failed and that are not being loaded.
  public var failures: [DashboardPart: any Error] {
    DashboardPart.allCases.reduce(into: [:]) { $0[$1] = loads[$1].failure }
  }

  /// Returns the parts that an intent waits for. `account` is that of the time of the intent.
  package func parts(of intent: DashboardIntent, for account: AccountVersion) -> [DashboardPart] {
    DashboardPart.allCases.filter { part in
      switch intent {
      case .load: loads[part].value == nil || outdatedParts.contains(part) || isNew(account)
      case .refresh: true
      case .retry(let chosen): part == chosen && loads[part].lastFailure != nil
      case .retryFailed: loads[part].lastFailure != nil
      }
    }
  }

  /// Returns the parts that an intent requests. A refresh and the first intent for a newer account
  /// replace the loads in progress. A newer account requests every known part.
  package func requests(of intent: DashboardIntent, for account: AccountVersion) -> [DashboardPart] {
    if case .refresh = intent { return DashboardPart.allCases }
    let parts = parts(of: intent, for: account)
    if isNew(account) { return DashboardPart.allCases.filter { isKnown($0) || parts.contains($0) } }
    return parts.filter { !isLoading($0) }
  }

  /// Records that parts are being loaded. A newer account removes all content and failures.
  package mutating func begin(_ parts: [DashboardPart], for account: AccountVersion) {
    if isNew(account) {
      self.account = account
      _ = removeLoads(before: newestNumber + 1)
    }
    begin(parts)
  }

  /// Records the result of loading a part. Returns the parts that are loaded again: the part
  /// itself, after a notification during its load, and the parts of earlier loads, after the
  /// profile of another user.
  package mutating func receive(
    _ outcome: TaskOutcome<DashboardResponse>, for part: DashboardPart
  ) -> [DashboardPart] {
    let isOutdated = outdatedLoads.remove(part) != nil
    var requests = isOutdated ? [part] : []
    let knownUser = loads[.profile].value?.profile?.id
    loads[part].receive(outcome.map(\.withoutDuplicates))
    switch outcome {
    case .success(let response):
      contentNumbers[part] = numbers[part]
      if !isOutdated { outdatedParts.remove(part) }
      if let user = response.profile?.id, let knownUser, user != knownUser {
        requests += removeLoads(before: numbers[part])
      }
    case .failure: break
    case .cancelled: return []
    }
    begin(requests)
    return requests
  }

  package mutating func cancel() {
    for part in DashboardPart.allCases { loads[part].cancel() }
    outdatedLoads = []
  }

  /// Begins the loads that a notification causes, and returns their parts.
  package mutating func receiveNotification(for account: AccountVersion) -> [DashboardPart] {
    let known = DashboardPart.allCases.filter(isKnown)
    let requests = isNew(account) ? known : known.filter { !isLoading($0) }
    outdatedParts.formUnion(known)
    outdatedLoads.formUnion(loadingParts)
    begin(requests, for: account)
    return requests
  }

  private mutating func begin(_ parts: [DashboardPart]) {
    newestNumber += 1
    for part in parts {
      numbers[part] = newestNumber
      loads[part].begin()
    }
    outdatedLoads.subtract(parts)
  }

  /// Removes the content and the failures of loads before this number, and returns their parts.
  private mutating func removeLoads(before number: Int) -> [DashboardPart] {
    let earlier = DashboardPart.allCases.filter { isKnown($0) && numbers[$0] < number }
    for part in DashboardPart.allCases where contentNumbers[part] < number { loads[part].removeValue() }
    for part in earlier { loads[part] = Loadable() }
    return earlier
  }

  private func isNew(_ account: AccountVersion) -> Bool { account.number > self.account.number }

  private func isLoading(_ part: DashboardPart) -> Bool { loads[part].isLoading }

  /// Whether a part has been loaded, has failed or is being loaded.
  private func isKnown(_ part: DashboardPart) -> Bool {
    loads[part].value != nil || loads[part].lastFailure != nil || isLoading(part)
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

/// The content of a part.
package enum DashboardResponse: Sendable {
  case profile(Profile)
  case orders([Order])
  case recommendations([CatalogProduct])

  fileprivate var profile: Profile? { if case .profile(let profile) = self { profile } else { nil } }

  fileprivate var orders: [Order]? { if case .orders(let orders) = self { orders } else { nil } }

  fileprivate var products: [CatalogProduct]? {
    if case .recommendations(let products) = self { products } else { nil }
  }

  /// The content, each order or product once.
  fileprivate var withoutDuplicates: DashboardResponse {
    switch self {
    case .profile: self
    case .orders(let orders): .orders(orders.latestOfEachID)
    case .recommendations(let products): .recommendations(products.latestOfEachID)
    }
  }
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
