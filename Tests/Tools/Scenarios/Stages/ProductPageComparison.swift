import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// Variants: with or without a feed. The cart of a page has the stage of the page.
///
/// No update interval: no time passes in a step, and the stages show the states of an interval at
/// different times.
struct ProductPageComparison: ComparedFeature {
  enum Intent { case load, refresh, cancel, add(Int), addToCart(Int), removeFromCart(Int) }

  static let intents: [Intent] = [
    .load, .refresh, .cancel, .add(1), .add(2), .addToCart(2), .removeFromCart(1),
  ]
  static let steps: [StageStep<Intent>] = [
    .perform(.publish(product: 1)), .perform(.publish(product: 1)), .perform(.endFeed(fails: true)),
    .perform(.endFeed(fails: false)),
    .perform(.changeAccount),
    .wait(milliseconds: 60_000),
  ]

  private let cart: SharedCartDriver
  private let model: any ProductPageDriver

  init(in surroundings: Surroundings) {
    let (stage, world) = (surroundings.stage, surroundings.world)
    cart = stage.makeSharedCart(service: surroundings, clock: world.clock, isolation: world.isolation)
    model = stage.makeProductPage(
      itemID: 1, service: surroundings, feed: surroundings.variant == 0 ? surroundings.feed : nil,
      cart: cart,
      isolation: world.isolation)
  }

  func perform(_ intent: Intent) async -> IntentOutcome? {
    switch intent {
    case .load: return outcome(of: await model.load())
    case .refresh: return outcome(of: await model.refresh())
    case .cancel: await model.cancel()
    case .add(let quantity): return outcome(of: model.add(quantity: quantity))
    case .addToCart(let id):
      return outcome(of: Task { [cart] in try await cart.add(.numbered(id, stock: 5)) })
    case .removeFromCart(let id):
      return outcome(of: Task { [cart] in try await cart.remove(.init(rawValue: id)) })
    }
    return nil
  }

  var states: AsyncStream<ProductPageState> { model.states() }

  static func shown(_ state: ProductPageState) -> KeyValuePairs<String, Any> {
    [
      "product": text(state.product, \.line), "loads": state.detail.isLoading,
      "refresh failure": text(state.detail.refreshFailure), "follows": state.detail.following.isActive,
      "feed failure": text(state.detail.following.failure), "units of all": state.cartItemCount,
      "units": state.quantityInCart, "pending": state.isChangePending, "can add": state.canAdd,
    ]
  }
}
