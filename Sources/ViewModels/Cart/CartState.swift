package import AsyncViewModels
package import AsyncViewModelsRequests
public import StorefrontDomain

/// The state of the cart's screen, and its rules, for all three stages.
///
/// - `add`, `setQuantity` and `remove` show at once. A quantity of 0 removes the item. A change is
///   *pending* until the service confirms or refuses it. A refused change fails, and is rolled
///   back. Without a service, only the rules of the cart refuse changes.
/// - `load` sends each unanswered change again, at most 4 at the same time, waits until no change
///   is pending, and shows the service's cart. It fails if a change stays unanswered. It replaces a
///   load in progress, whose callers wait for the new one.
/// - `discardUnanswered` rolls back the unanswered changes and those that wait for them, but not
///   those that are being sent. Load before the next change: the service can still make them. A
///   restart sends them again until the storage has saved this.
/// - `cancel` ends the load. Its changes are still sent, also those that have not been sent yet.
/// - `flush` stores all earlier changes. Call it before the storage closes or the app is suspended:
///   a change made during a save is saved only after it.
/// - `close` ends the cart for good, when the shopper signs out. Only the save in progress
///   continues: remove the contents of the storage after it. All pending and later changes fail
///   with ``/StorefrontDomain/CartError/closed``, although the service may still make those being
///   sent. The state no longer changes, and streams of states end.
///
/// | changes | are sent |
/// | --- | --- |
/// | of one product | one after another |
/// | of different products | at the same time; the responses arrive in any order |
/// | that wait for a refused change | after they are computed again without it; a rule can refuse them, too |
/// | that a rule has refused | never |
/// | that the service has not answered | again, with the same key, by the next load or the next change of their product |
/// | of a load that already sends 4 | as soon as one of the 4 ends, with any outcome, or with the next change of their product |
///
/// After an error that is no refusal, for example a timeout, the service may have made the change.
/// The change is then *unanswered*: it fails with
/// ``/StorefrontDomain/CartError/unanswered(_:reason:)``, and stays pending.
///
/// A change is sent for the account that was signed in when the shopper made it. A load sends
/// changes whose callers know that they are unanswered for its own account: see
/// ``/StorefrontDomain/AccountVersion``.
///
/// A storage belongs to one cart and one account: while changes are pending, use no second view
/// model with it, even after the first is released.
public struct CartState: Sendable {
  package typealias Changes = OptimisticChanges<CartEdit>

  private enum Load {
    case none
    /// Waits until no change is pending: the service's cart would lack a pending change.
    case waiting
    /// The service is asked for its cart. `isOutdated` if a change has begun since then.
    case requested(isOutdated: Bool)
  }

  /// How many unanswered changes a load sends at the same time.
  private static let sendLimit = 4

  private var changes: Changes
  private let hasService: Bool
  private var load = Load.none
  private var failure: (any Error)?
  /// The error of the latest unanswered change, as a load shows it. `nil` if it was cancelled.
  private var unansweredFailure: (any Error)?
  private var sending: Set<Changes.ID> = []
  /// The changes that are due and not being sent.
  private var unsent: Set<Changes.ID> = []
  /// The unsent changes that a load has still to send.
  private var queued: Set<Changes.ID> = []
  /// The changes whose callers know that they are unanswered. Includes those of an earlier run.
  private var reportedUnanswered: Set<Changes.ID> = []
  /// The accounts of the loads that have sent pending changes again.
  private var loadAccounts: [Changes.ID: AccountVersion] = [:]
  /// The newest prices and stocks in the cart, which the items of repeated changes can lack.
  private var updates: [CatalogProduct.ID: ProductUpdate] = [:]
  /// The updates since the service was asked for its cart.
  private var recentUpdates: [CatalogProduct.ID: ProductUpdate] = [:]

  /// Whether the cart was closed, for example at sign-out.
  public private(set) var isClosed = false

  /// The error of the latest save, or `nil` if it succeeded.
  public private(set) var saveFailure: (any Error)?

  /// The first refusal since the last load or change, if the caller knew its change as unanswered.
  public private(set) var lateRefusal: (any Error)?

  /// The feed of the prices and stocks. Only a complete load hides its failure.
  public package(set) var following = Following()

  /// - Parameter account: The account of the saved changes until a load sends them.
  package init(
    _ saved: SavedCart = SavedCart(), hasService: Bool, for account: AccountVersion = .current
  ) {
    changes = OptimisticChanges(saved.cart)
    self.hasService = hasService
    for unanswered in saved.unanswered {
      if hasService {
        let id = changes.resume(CartEdit(unanswered, for: account), with: unanswered)
        reportedUnanswered.insert(id)
        if changes.turn(of: id) != nil { unsent.insert(id) }
      } else {
        changes.modify { $0.reapply(unanswered.change) }
      }
    }
  }

  /// The cart with all pending changes.
  public var cart: Cart { changes.value }

  /// The number of changes that the service has neither confirmed nor refused.
  public var pendingCount: Int { changes.pendingCount }

  /// Whether a change of this product is pending.
  ///
  /// - Complexity: O(pending changes).
  public func isPending(_ id: CatalogProduct.ID) -> Bool {
    changes.pendingRequests.contains { $0.request.change.product.id == id }
  }

  /// Whether changes are unanswered. The load in progress or the next one sends them again.
  public var hasUnanswered: Bool { !unsent.isEmpty }

  /// Whether the cart is being loaded.
  public var isLoading: Bool { if case .none = load { false } else { true } }

  /// The error of the latest load that was not cancelled. `nil` if it succeeded, and during a load.
  public var loadFailure: (any Error)? { isLoading ? nil : failure }

  /// What a storage has to keep: the confirmed cart and the pending changes.
  package var saved: SavedCart {
    SavedCart(changes.confirmed, unanswered: changes.pendingRequests.map(\.request))
  }

  // MARK: - Changes

  /// The key of changes without a service. Short: writers on several threads count no reference.
  private static let localKey = IdempotencyKey("local")!

  /// Makes a change that the service, if any, has to confirm.
  ///
  /// - Parameter account: The account at the time of the shopper's intent.
  /// - Returns: What to do now. Pass each response to ``receive(_:for:)``.
  /// - Throws: The refusal of a rule of the cart. The state is then unchanged.
  package mutating func begin(
    _ intent: CartIntent, for account: AccountVersion = .current
  ) throws(CartError) -> CartStep {
    if isClosed { throw .closed }
    guard hasService else {
      try changes.apply(CartEdit(Self.localKey, intent, for: account))
      return CartStep()
    }
    let id = try changes.begin(CartEdit(IdempotencyKey(), intent, for: account))
    lateRefusal = nil
    if case .add(let product, _) = intent, updates[product.id] != nil {
      updates[product.id] = ProductUpdate(product: product.id, price: product.price, stock: product.stock)
    }
    if case .requested = load { load = .requested(isOutdated: true) }
    var step = CartStep(change: id)
    if let turn = changes.turn(of: id) {
      take([turn], &step)
    } else {
      // The change may wait for an unanswered change.
      take(unsent.compactMap(changes.turn).filter { $0.change.orderingKey == intent.product }, &step)
    }
    return step
  }

  /// Ends a change that was confirmed or refused. After any other outcome, it stays pending.
  ///
  /// - Returns: What to do now.
  package mutating func receive(_ outcome: TaskOutcome<Void>, for request: CartRequest) -> CartStep {
    var step = CartStep()
    // A second response has no effect.
    guard !isClosed, changes.turn(of: request.id) != nil else { return step }
    sending.remove(request.id)
    switch outcome {
    case .success:
      end(request.id, .success(()), &step)
      take(changes.confirm(request.id), &step)
    case .failure(let error) where error.isRefusal:
      end(request.id, .failure(error), &step)
      take(changes.rollBack(request.id), &step)
    case .failure(let error):
      unansweredFailure = Self.loadFailure(of: error)
      keepUnanswered(request, reason: "\(error)", &step)
    case .cancelled:
      unansweredFailure = nil
      keepUnanswered(request, reason: "The request was cancelled.", &step)
    }
    sendQueued(&step)
    showUpdates()
    failLoadIfUnanswered()
    return step
  }

  /// Keeps a change pending. Its caller and those of the changes that wait for it would wait until
  /// the next load, so they get an error.
  private mutating func keepUnanswered(_ request: CartRequest, reason: String, _ step: inout CartStep) {
    unsent.insert(request.id)
    let product = request.unanswered.change.product.id
    let error = CartError.unanswered(product, reason: reason)
    for id in pending(of: [product]) where reportedUnanswered.insert(id).inserted {
      step.results.append((id, .failure(error)))
    }
  }

  /// Adds the requests of due changes to a step. Ends those that are refused or have no effect.
  private mutating func take(_ turns: [Changes.Turn], _ step: inout CartStep) {
    // A loop, because the end of each change without effect can make the next one due.
    var rest = Array(turns.reversed())
    while let turn = rest.popLast() {
      switch turn.result {
      case .success(let unanswered) where unanswered.change.delta == 0:
        end(turn.id, .success(()), &step)
        rest += changes.confirm(turn.id).reversed()
      case .success(let unanswered): send(turn, unanswered, &step)
      case .failure(let error):
        end(turn.id, .failure(error), &step)
        rest += changes.rollBack(turn.id).reversed()
      }
    }
  }

  /// Rolls back the unanswered changes, and those that wait for them.
  ///
  /// - Returns: What to do now.
  package mutating func discardUnanswered() -> CartStep {
    var step = CartStep()
    guard !isClosed else { return step }
    let products = changes.pendingRequests.filter { unsent.contains($0.id) }.map(\.request.change.product.id)
    // The last one first, so that no waiting change becomes due.
    let discarded = pending(of: Set(products))
    for id in discarded { forget(id) }
    for id in discarded.reversed() { take(changes.rollBack(id), &step) }
    showUpdates()
    return step
  }

  /// The pending changes of some products, in the order of their intents.
  private func pending(of products: Set<CatalogProduct.ID>) -> [Changes.ID] {
    changes.pendingRequests.filter { products.contains($0.request.change.product.id) }.map(\.id)
  }

  /// Ends a change. Adds its result to a step, unless its caller knows it as unanswered.
  private mutating func end(_ id: Changes.ID, _ result: Result<Void, any Error>, _ step: inout CartStep) {
    if !reportedUnanswered.contains(id) {
      step.results.append((id, result))
    } else if case .failure(let error) = result, lateRefusal == nil {
      // The first refusal can be the cause of later ones.
      lateRefusal = error
    }
    forget(id)
  }

  private mutating func forget(_ id: Changes.ID) {
    unsent.remove(id)
    queued.remove(id)
    reportedUnanswered.remove(id)
    loadAccounts[id] = nil
  }

  /// Sends the next changes of a load. A new change, whose caller still waits, does not count
  /// against the limit.
  private mutating func sendQueued(_ step: inout CartStep) {
    while let id = queued.min(), sending.intersection(reportedUnanswered).count < Self.sendLimit {
      queued.remove(id)
      take([changes.turn(of: id)].compactMap(\.self), &step)
    }
  }

  private mutating func send(_ turn: Changes.Turn, _ unanswered: UnansweredChange, _ step: inout CartStep) {
    unsent.remove(turn.id)
    queued.remove(turn.id)
    sending.insert(turn.id)
    let account = loadAccounts[turn.id] ?? turn.change.account
    step.requests.append(CartRequest(id: turn.id, unanswered: unanswered, account: account))
  }

  // MARK: - Load

  /// Begins a load, in place of the load in progress, whose request the view model cancels.
  ///
  /// - Parameter account: The account at the time of the intent.
  /// - Returns: What to do now.
  package mutating func beginLoad(for account: AccountVersion = .current) -> CartStep {
    var step = CartStep()
    guard hasService, !isClosed else { return step }
    load = .waiting
    lateRefusal = nil
    for id in reportedUnanswered { loadAccounts[id] = account }
    queued = unsent
    sendQueued(&step)
    return step
  }

  /// Whether to ask the service for its cart now.
  package var isCartDue: Bool { if case .waiting = load { pendingCount == 0 } else { false } }

  /// Records that the service is asked for its cart. Returns whether to ask it.
  package mutating func beginCartRequest() -> Bool {
    guard isCartDue else { return false }
    load = .requested(isOutdated: false)
    recentUpdates = [:]
    return true
  }

  /// Shows the service's cart. If a change has begun since the request, the load waits again.
  package mutating func receiveCart(_ outcome: TaskOutcome<Cart>) {
    guard case .requested(let isOutdated) = load else { return }
    load = .none
    switch outcome {
    case .success where isOutdated:
      load = .waiting
      failLoadIfUnanswered()
    case .success(let cart):
      // No change is pending, so none is refused.
      _ = changes.rebase(onto: cart)
      updates = recentUpdates
      failure = nil
      following.receiveLoad()
      showUpdates()
    case .failure(let error): failure = Self.loadFailure(of: error)
    case .cancelled: break
    }
  }

  package mutating func cancelLoad() { load = .none }

  /// Ends a load that waits only for unanswered changes.
  private mutating func failLoadIfUnanswered() {
    guard case .waiting = load, sending.isEmpty, hasUnanswered else { return }
    (load, failure) = (.none, unansweredFailure ?? failure)
  }

  private static func loadFailure(of error: any Error) -> any Error {
    error is DeadlineExceeded ? ServiceError.timedOut : error
  }

  // MARK: - Updates and saves

  /// Whether to follow the feed at the next load.
  package var canFollow: Bool { hasService && !following.isActive && !isClosed }

  /// Whether an update changes what the cart shows or will show.
  package func needs(_ update: ProductUpdate) -> Bool {
    if isClosed { return false }
    if case .requested = load { return true }
    return cart.item(of: update.product) != nil
      || changes.pendingRequests.contains { $0.request.change.product.id == update.product }
  }

  package mutating func receive(_ update: ProductUpdate) {
    guard needs(update) else { return }
    if case .requested = load {
      recentUpdates[update.product] = recentUpdates[update.product]?.merging(update) ?? update
    }
    updates[update.product] = updates[update.product]?.merging(update) ?? update
    changes.modify { $0.apply(update) }
  }

  /// Shows the updates again: repeated changes can contain older prices and stocks.
  private mutating func showUpdates() {
    guard !updates.isEmpty else { return }
    if pendingCount == 0 { updates = updates.filter { cart.item(of: $0.key) != nil } }
    changes.modify { cart in for update in updates.values { cart.apply(update) } }
  }

  package mutating func recordWrite(_ result: Result<Void, any Error>) {
    guard !isClosed else { return }
    switch result {
    case .success: saveFailure = nil
    case .failure(let error): saveFailure = error
    }
  }

  // MARK: - End

  package mutating func close() {
    (isClosed, load) = (true, .none)
    following.end(.cancelled)
  }
}

/// Equal states look the same on the screen. Errors are compared by their descriptions.
extension CartState: Equatable {
  public static func == (left: CartState, right: CartState) -> Bool {
    left.pendingCount == right.pendingCount && left.hasUnanswered == right.hasUnanswered
      && left.isLoading == right.isLoading && left.cart == right.cart
      && description(of: left.loadFailure) == description(of: right.loadFailure)
      && description(of: left.saveFailure) == description(of: right.saveFailure)
      && description(of: left.lateRefusal) == description(of: right.lateRefusal)
      && left.isClosed == right.isClosed && left.following == right.following
  }
}
