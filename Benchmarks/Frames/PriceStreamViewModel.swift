import AsyncViewModels

/// The view model of the screen with a live price, in the stream stage.
///
/// - Isolation: A lock guards the state.
/// - Ordering: An observer that is busy skips to the latest state.
/// - Cancellation: The owner of the token ends the feed.
/// - Hazards: The compiler does not check on which thread a change is made.
final class PriceStreamViewModel: StateSource {
  let store = StateStore(PriceState())

  /// Follows the feed until the token is cancelled or released.
  func follow(_ feed: PriceFeed) -> CancellationToken {
    feed.observe { [weak self] price in self?.store.update { $0.receive(price) } }
  }

  func tap(_ number: Int) { store.update { $0.accept(tap: number) } }
}
