package import AsyncViewModels
public import StorefrontDomain

/// The state of the cart's screen, and the rules by which it changes. The closure, stream and async view models share this type,
/// and none of them adds a rule.
///
/// The cart shows a change at once. The change is pending until the service has confirmed or refused it. If the service refuses a
/// change, the cart shows the confirmed items with the other pending changes. The answers may arrive in any order.
///
/// The changes of one product are sent one after another. Changes of different products are sent at the same time. If a change
/// is refused, the changes that wait for it are computed again without the refused change. A waiting change can then have another
/// size: for example, it removes three units instead of five. A rule of the cart can also refuse the waiting change with a
/// ``/StorefrontDomain/CartError``, for example because no unit is left to remove. The service never receives a change that a rule
/// has refused.
///
/// After any other error, for example a timeout, the service may have made the change. Such a change is *unanswered*: it stays
/// pending, and is sent again with the same key by the next load, or by the next change of its product. Only ``discardUnanswered()``
/// rolls it back.
///
/// A change is sent for the account that is signed in when the shopper makes it, however long it waits. Only a load sends the changes
/// whose callers know that they are unanswered for the account of the load: see ``/StorefrontDomain/AccountVersion``.
///
/// Close the cart when the shopper signs out, and remove the contents of its storage after that. A closed cart stores and sends nothing,
/// also if an answer arrives later. All pending changes and all later ones fail with ``/StorefrontDomain/CartError/closed``. The service
/// may still make the changes that were being sent. A load ends, and a later load does nothing. The state keeps what it shows, and
/// does not change any more: a stream of states ends. Closing a closed cart does nothing.
public struct CartState: Sendable {
  package typealias Changes = OptimisticChanges<CartEdit>

  private enum Load {
    case none
    /// The load waits until no change is pending, because the service's cart would not contain a pending change.
    case waiting
    /// The service is asked for its cart. `isOutdated` is true if a change has begun since then.
    case requested(isOutdated: Bool)
  }

  private var changes: Changes
  private let hasService: Bool
  private var load = Load.none
  private var failure: (any Error)?
  /// The error of the latest change that the service has not answered, as a load shows it. `nil` if the request was cancelled.
  private var unansweredFailure: (any Error)?
  /// The changes that are being sent.
  private var sending: Set<Changes.ID> = []
  /// The changes that are due and not being sent.
  private var unsent: Set<Changes.ID> = []
  /// The changes whose callers have been told that they are unanswered, and those of an earlier run of the app.
  private var told: Set<Changes.ID> = []
  /// The accounts of the loads that have sent pending changes again.
  private var loadAccounts: [Changes.ID: AccountVersion] = [:]
  /// The newest prices and stocks of the products in the cart. The items contain them too, until a change that was made with
  /// older ones is made again.
  private var updates: [CatalogProduct.ID: ProductUpdate] = [:]
  /// The updates since the service was asked for its cart.
  private var recentUpdates: [CatalogProduct.ID: ProductUpdate] = [:]

  /// Whether the cart was closed, for example because the shopper has signed out.
  public private(set) var isClosed = false

  /// The error of the latest save, or `nil` if it succeeded.
  public private(set) var saveFailure: (any Error)?

  /// The first refusal, since the last load or change began, of a change whose caller had been told before that the change is
  /// unanswered, for example in an earlier run of the app.
  public private(set) var lateRefusal: (any Error)?

  /// Whether the cart follows a feed. `true` from before the first load until the feed ends or fails. `false` for a cart without
  /// a feed.
  ///
  /// The next load follows the feed again.
  public private(set) var isFollowing = false

  /// The error with which the feed failed, because the cart can have missed changes since then. `nil` after the cart has been
  /// loaded again.
  public private(set) var feedFailure: (any Error)?

  /// - Parameters:
  ///   - saved: The cart of an earlier run of the app. Its unanswered changes are sent by the first load.
  ///   - hasService: Whether a service has to confirm each change.
  ///   - account: The account for which the unanswered changes are sent until a load sends them.
  package init(
    _ saved: SavedCart = SavedCart(), hasService: Bool, for account: AccountVersion = .current
  ) {
    changes = OptimisticChanges(saved.cart)
    self.hasService = hasService
    for unanswered in saved.unanswered {
      if hasService {
        let id = changes.resume(CartEdit(unanswered, for: account), with: unanswered)
        told.insert(id)
        if changes.turn(of: id) != nil { unsent.insert(id) }
      } else {
        changes.modify { $0.reapply(unanswered.change) }
      }
    }
  }

  /// The cart with all pending changes.
  public var cart: Cart { changes.value }

  /// The number of pending changes. The cart shows them, but the service has neither confirmed nor refused them yet.
  public var pendingCount: Int { changes.pendingCount }

  /// Whether a change of this product is pending.
  ///
  /// - Complexity: O(pending changes).
  public func isPending(_ id: CatalogProduct.ID) -> Bool {
    changes.pendingRequests.contains { $0.request.change.product.id == id }
  }

  /// Whether pending changes are not being sent, because the service has not answered. The next load sends them again.
  public var hasUnanswered: Bool { !unsent.isEmpty }

  /// Whether the cart is being loaded.
  public var isLoading: Bool { if case .none = load { false } else { true } }

  /// The error of the latest load that was not cancelled. `nil` if that load succeeded, and during a load.
  public var loadFailure: (any Error)? { isLoading ? nil : failure }

  /// What a storage has to keep: the confirmed cart and the pending changes.
  package var saved: SavedCart {
    SavedCart(changes.confirmed, unanswered: changes.pendingRequests.map(\.request))
  }

  // MARK: - Changes

  /// The key of the changes that no service receives. A short text, so that writers on several threads count no shared reference.
  private static let localKey = IdempotencyKey("local")!
  /// The account of the changes that no service receives.
  private static let localAccount = AccountVersion.current

  /// Makes a change that no service has to confirm.
  ///
  /// - Throws: A ``/StorefrontDomain/CartError`` if a rule of the cart refuses the change. The state is then unchanged.
  package mutating func apply(_ intent: CartIntent) throws(CartError) {
    if isClosed { throw .closed }
    try changes.apply(CartEdit(Self.localKey, intent, for: Self.localAccount))
  }

  /// Makes a change that the service has to confirm.
  ///
  /// - Parameter account: The account of the moment at which the shopper asked for the change.
  /// - Returns: What to do now. Pass the answer to each request to ``receive(_:for:)``.
  /// - Throws: A ``/StorefrontDomain/CartError`` if a rule of the cart refuses the change. The state is then unchanged.
  package mutating func begin(
    _ intent: CartIntent, key: IdempotencyKey, for account: AccountVersion = .current
  ) throws(CartError) -> CartStep {
    if isClosed { throw .closed }
    let id = try changes.begin(CartEdit(key, intent, for: account))
    lateRefusal = nil
    if case .add(let product, _) = intent, updates[product.id] != nil {
      updates[product.id] = ProductUpdate(product: product.id, price: product.price, stock: product.stock)
    }
    if case .requested = load { load = .requested(isOutdated: true) }
    // A change that has to wait may wait for an unanswered change.
    guard let turn = changes.turn(of: id) else { return send { $0 == intent.product } }
    var step = CartStep()
    take([turn], &step)
    return step
  }

  /// Ends a change that the service has confirmed, or has refused. After any other error, the change stays pending.
  ///
  /// - Returns: What to do now.
  package mutating func receive(_ result: Result<Void, any Error>, for request: CartRequest) -> CartStep {
    var step = CartStep()
    guard !isClosed else { return step }
    sending.remove(request.id)
    switch result {
    case .success:
      forget(request.id)
      step.results = [(request.unanswered.key, result)]
      take(changes.confirm(request.id), &step)
    case .failure(let error) where error.isRefusal:
      noteRefusal(of: request.id, error)
      step.results = [(request.unanswered.key, result)]
      take(changes.rollBack(request.id), &step)
    case .failure(let error):
      guard changes.turn(of: request.id) != nil else { return step }
      unsent.insert(request.id)
      unansweredFailure = error.isCancellation ? nil : Self.loadFailure(of: error)
      // The changes that wait for this one would wait until the next load.
      let product = request.unanswered.change.product.id
      let reason = CartError.unanswered(product, reason: "\(error)")
      for (id, request) in pending(of: [product]) {
        told.insert(id)
        step.results.append((request.key, .failure(reason)))
      }
    }
    showUpdates()
    failLoadIfUnanswered()
    return step
  }

  /// Adds the requests of the changes that are due to a step. Ends the changes that a rule has refused, and those that have no
  /// effect.
  private mutating func take(_ turns: [Changes.Turn], _ step: inout CartStep) {
    // A loop, because the end of each change without effect can make the next one due.
    var rest = Array(turns.reversed())
    while let turn = rest.popLast() {
      switch turn.result {
      case .success(let unanswered) where unanswered.change.delta == 0:
        forget(turn.id)
        step.results.append((turn.change.key, .success(())))
        rest += changes.confirm(turn.id).reversed()
      case .success(let unanswered): send(turn, unanswered, &step)
      case .failure(let error):
        noteRefusal(of: turn.id, error)
        step.results.append((turn.change.key, .failure(error)))
        rest += changes.rollBack(turn.id).reversed()
      }
    }
  }

  /// Rolls back the changes that the service has not answered, and the changes that wait for them. The changes that are being sent
  /// stay.
  ///
  /// - Returns: What to do now.
  package mutating func discardUnanswered() -> CartStep {
    var step = CartStep()
    guard !isClosed else { return step }
    let products = changes.pendingRequests.filter { unsent.contains($0.id) }.map(\.request.change.product.id)
    // From the last one on, so that no waiting change becomes due.
    let discarded = pending(of: Set(products)).map(\.id)
    for id in discarded { forget(id) }
    for id in discarded.reversed() { take(changes.rollBack(id), &step) }
    showUpdates()
    return step
  }

  /// The pending changes of some products, in the order in which they were made.
  private func pending(of products: Set<CatalogProduct.ID>) -> [(id: Changes.ID, request: UnansweredChange)] {
    changes.pendingRequests.filter { products.contains($0.request.change.product.id) }
  }

  private mutating func noteRefusal(of id: Changes.ID, _ error: any Error) {
    // The first refusal can be the cause of later ones.
    if told.contains(id), lateRefusal == nil { lateRefusal = error }
    forget(id)
  }

  /// Forgets what is known about a change that has ended.
  private mutating func forget(_ id: Changes.ID) {
    unsent.remove(id)
    told.remove(id)
    loadAccounts[id] = nil
  }

  /// Sends the unanswered changes of some products again.
  private mutating func send(_ isIncluded: (CatalogProduct.ID) -> Bool) -> CartStep {
    var step = CartStep()
    for id in unsent.sorted() {
      guard let turn = changes.turn(of: id), case .success(let unanswered) = turn.result,
        isIncluded(turn.change.orderingKey)
      else { continue }
      send(turn, unanswered, &step)
    }
    return step
  }

  private mutating func send(_ turn: Changes.Turn, _ unanswered: UnansweredChange, _ step: inout CartStep) {
    unsent.remove(turn.id)
    sending.insert(turn.id)
    let account = loadAccounts[turn.id] ?? turn.change.account
    step.requests.append(CartRequest(id: turn.id, unanswered: unanswered, account: account))
  }

  // MARK: - Load

  /// Begins a load, in place of a load in progress. Sends all unanswered changes again. The view model cancels the request for the
  /// service's cart, if any.
  ///
  /// - Parameter account: The account of the moment at which the load was asked for.
  /// - Returns: What to do now.
  package mutating func beginLoad(for account: AccountVersion = .current) -> CartStep {
    guard hasService, !isClosed else { return CartStep() }
    load = .waiting
    lateRefusal = nil
    for id in told { loadAccounts[id] = account }
    return send { _ in true }
  }

  /// Whether to ask the service for its cart now, because no change is pending.
  package var isCartDue: Bool { if case .waiting = load { pendingCount == 0 } else { false } }

  /// Records that the service is asked for its cart, if the cart is due.
  ///
  /// - Returns: Whether to ask the service.
  package mutating func beginCartRequest() -> Bool {
    guard isCartDue else { return false }
    load = .requested(isOutdated: false)
    recentUpdates = [:]
    return true
  }

  /// Shows the service's cart. If a change has begun since the service was asked, drops the answer: the load waits again until no
  /// change is pending. A cancellation has the effect of ``cancelLoad()``.
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
      if isFollowing { feedFailure = nil }
      showUpdates()
    case .failure(let error): failure = Self.loadFailure(of: error)
    case .cancelled: break
    }
  }

  /// Ends the load in progress, if any.
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
  package var canFollow: Bool { hasService && !isFollowing && !isClosed }

  /// Records that the cart follows the feed.
  package mutating func beginFollowing() { isFollowing = true }

  /// Records that the feed has ended or failed. A cancellation is not a failure.
  package mutating func endFollowing(_ outcome: TaskOutcome<Void>) {
    guard isFollowing else { return }
    isFollowing = false
    if case .failure(let error) = outcome { feedFailure = error }
  }

  /// Whether an update changes what the cart shows or will show.
  package func needs(_ update: ProductUpdate) -> Bool {
    if isClosed { return false }
    if case .requested = load { return true }
    return cart.item(of: update.product) != nil
      || changes.pendingRequests.contains { $0.request.change.product.id == update.product }
  }

  /// Shows a new price or stock of a product in the cart.
  package mutating func receive(_ update: ProductUpdate) {
    guard needs(update) else { return }
    if case .requested = load {
      recentUpdates[update.product] = recentUpdates[update.product]?.merging(update) ?? update
    }
    updates[update.product] = updates[update.product]?.merging(update) ?? update
    changes.modify { $0.apply(update) }
  }

  /// Shows the updates again, because the items of changes that were made again can contain older prices and stocks.
  private mutating func showUpdates() {
    guard !updates.isEmpty else { return }
    if pendingCount == 0 { updates = updates.filter { cart.item(of: $0.key) != nil } }
    changes.modify { cart in for update in updates.values { cart.apply(update) } }
  }

  /// Records the result of a save.
  package mutating func recordSave(_ result: Result<Void, any Error>) {
    guard !isClosed else { return }
    switch result {
    case .success: saveFailure = nil
    case .failure(let error): saveFailure = error
    }
  }

  // MARK: - End

  /// Closes the cart for good: ends the load, and fails all pending changes.
  ///
  /// - Returns: What to do now.
  package mutating func close() -> CartStep {
    (isClosed, isFollowing, load) = (true, false, .none)
    return CartStep(results: changes.pendingRequests.map { ($0.request.key, .failure(CartError.closed)) })
  }
}

/// Two states are equal if the screen shows the same for both. Errors are compared by their descriptions.
extension CartState: Equatable {
  public static func == (left: CartState, right: CartState) -> Bool {
    left.pendingCount == right.pendingCount && left.hasUnanswered == right.hasUnanswered
      && left.isLoading == right.isLoading && left.cart == right.cart
      && description(of: left.loadFailure) == description(of: right.loadFailure)
      && description(of: left.saveFailure) == description(of: right.saveFailure)
      && description(of: left.lateRefusal) == description(of: right.lateRefusal)
      && left.isFollowing == right.isFollowing && left.isClosed == right.isClosed
      && description(of: left.feedFailure) == description(of: right.feedFailure)
  }
}
