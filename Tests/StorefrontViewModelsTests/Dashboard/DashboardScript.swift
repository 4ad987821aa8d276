import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels

/// The dashboard's three services. Each answer contains a number that identifies it.
struct DashboardScript {
  let profile: ScriptedProfileService
  let orders: ScriptedOrderService
  let recommendations: ScriptedRecommendationService

  init(ignoringCancellation: Bool = false) {
    profile = ScriptedProfileService(ignoringCancellation: ignoringCancellation)
    orders = ScriptedOrderService(ignoringCancellation: ignoringCancellation)
    recommendations = ScriptedRecommendationService(ignoringCancellation: ignoringCancellation)
  }

  /// The number of requests for each part so far.
  var requestCounts: [DashboardPart: Int] {
    [
      .profile: profile.calls.requests.count, .orders: orders.calls.requests.count,
      .recommendations: recommendations.calls.requests.count,
    ]
  }

  func next(_ part: DashboardPart) async throws -> DashboardCall {
    switch part {
    case .profile: DashboardCall(try await profile.calls.next()) { Profile($0) }
    case .orders: DashboardCall(try await orders.calls.next()) { [Order($0)] }
    case .recommendations: DashboardCall(try await recommendations.calls.next()) { [CatalogProduct($0)] }
    }
  }

  /// Waits for the next call of every part. Returns the calls in the order of the parts.
  func nextOfEach() async throws -> [DashboardCall] {
    var calls: [DashboardCall] = []
    for part in DashboardPart.allCases { calls.append(try await next(part)) }
    return calls
  }
}

/// A call for one part. The test has to answer the call.
struct DashboardCall: Sendable {
  let succeed: @Sendable (_ number: Int) -> Void
  let fail: @Sendable (any Error) -> Void
  let waitForCancellation: @Sendable () async -> Void

  init<Content>(_ call: ScriptedCall<Void, Content>, content: @escaping @Sendable (Int) -> Content) {
    succeed = { call.succeed(content($0)) }
    fail = { call.fail($0) }
    waitForCancellation = { await call.waitForCancellation() }
  }
}

/// What the screen shows of a part, as an equatable value.
enum Shown: Equatable {
  case idle, loading, empty
  case number(Int)
  case failed(ServiceError?)

  init<Value>(_ state: ViewState<Value>, number: (Value) -> Int?) {
    switch state {
    case .idle: self = .idle
    case .loading: self = .loading
    case .empty: self = .empty
    case .loaded(let value): self = number(value).map { .number($0) } ?? .empty
    case .failed(let error): self = .failed(error as? ServiceError)
    }
  }
}

extension DashboardState {
  func shown(_ part: DashboardPart) -> Shown {
    switch part {
    case .profile: Shown(profile.content) { $0.version }
    case .orders: Shown(orders.content) { $0.first?.id }
    case .recommendations: Shown(recommendations.content) { $0.first?.id.rawValue }
    }
  }

  /// What the screen shows of all parts, in their order.
  var shown: [Shown] { DashboardPart.allCases.map(shown) }

  func failure(_ part: DashboardPart) -> ServiceError? { failures[part] as? ServiceError }
}

/// The rules of a dashboard whose account does not change.
extension DashboardState {
  func parts(of intent: DashboardIntent) -> [DashboardPart] { parts(of: intent, for: account) }

  func requests(of intent: DashboardIntent) -> [DashboardPart] { requests(of: intent, for: account) }

  mutating func begin(_ parts: [DashboardPart]) { begin(parts, for: account) }

  mutating func receiveNotification() -> [DashboardPart] { receiveNotification(for: account) }
}

extension Profile {
  /// The profile with this number as its version.
  init(_ number: Int, user: Int = 1) {
    self.init(id: user, name: "Ada", email: "ada@example.com", version: number)
  }
}

extension Order {
  init(_ number: Int) {
    self.init(id: number, total: Money(minorUnits: 100, currency: .usd), itemCount: 1, status: .placed)
  }
}

extension Cart {
  /// A cart with this number of units.
  init(_ number: Int) {
    self.init()
    _ = try? add(.nail, quantity: number)
  }
}
