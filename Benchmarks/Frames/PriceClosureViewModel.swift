import AsyncViewModelsGCD
import Dispatch

/// The view model of the screen with a live price, in the closure stage.
///
/// - Isolation: A lock guards the state. Callbacks come on the main queue.
/// - Ordering: The observer receives every change, in order.
/// - Cancellation: The owner of the token ends the feed.
/// - Hazards: One observer, and one call on the main queue for each change.
final class PriceClosureViewModel: Sendable {
  private let store = CallbackState(PriceState())

  /// Follows the feed until the token is cancelled or released.
  func follow(_ feed: PriceFeed) -> CancellationToken {
    feed.observe { [weak self] price in self?.store.update { $0.receive(price) } }
  }

  func tap(_ number: Int) { store.update { $0.accept(tap: number) } }

  func bind(_ observer: @escaping @Sendable (PriceState) -> Void) -> CancellationToken {
    store.bind(on: .main, observer)
  }
}
