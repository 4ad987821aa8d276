import AsyncViewModels

/// The view model of the screen with a live price, in the async stage: an actor.
///
/// - Isolation: The view model runs on the executor of its isolation.
/// - Ordering: An observer that is busy skips to the latest state.
/// - Cancellation: The owner of the token ends the feed.
/// - Hazards: On the main actor, each price costs a turn of the main actor, whatever the screen renders.
actor PriceViewModel: ViewModelActor {
  nonisolated let modelState: ModelState<PriceState>

  init(isolation: (any Actor)? = nil) { modelState = ModelState(PriceState(), on: isolation) }

  /// Follows the feed until the token is cancelled or released.
  nonisolated func follow(_ feed: PriceFeed) -> CancellationToken {
    feed.prices().observe(on: self) { model, price in model.store.update { $0.receive(price) } }
  }

  func tap(_ number: Int) { store.update { $0.accept(tap: number) } }
}
