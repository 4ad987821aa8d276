import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// Variants: with or without a storage, a feed and a service.
struct CartComparison: ComparedFeature {
  enum Intent {
    case add(Int), set(Int, to: Int), remove(Int), load, discardUnanswered, cancel, flush, close
  }

  static let variants = 5
  static let intents: [Intent] = [
    .add(1), .add(2), .set(1, to: 3), .set(2, to: 0), .remove(1), .load, .load, .discardUnanswered, .cancel,
    .flush,
  ]
  static let steps: [StageStep<Intent>] = [
    .perform(.model(.close)), .wait(milliseconds: 30_000), .wait(milliseconds: 60_000),
    .perform(.publish(product: 1)),
    .perform(.publish(product: 2)), .perform(.endFeed(fails: true)), .perform(.endFeed(fails: false)),
    .perform(.changeAccount), .restart, .restart,
  ]

  private let surroundings: Surroundings
  private let model: any CartDriver

  init(in surroundings: Surroundings) {
    let variant = surroundings.variant
    self.surroundings = surroundings
    model = surroundings.stage.makeCart(
      restoring: surroundings.outside.savedCart, service: variant < 4 ? surroundings : nil,
      storage: variant % 2 == 0 ? surroundings : nil, feed: variant >= 2 ? surroundings.feed : nil,
      clock: surroundings.world.clock, isolation: surroundings.world.isolation)
  }

  func perform(_ intent: Intent) async -> IntentOutcome? {
    switch intent {
    case .add(let id): return outcome(of: model.start(.add(.numbered(id, stock: 5), quantity: 1)))
    case .set(let id, let quantity):
      return outcome(of: model.start(.setQuantity(quantity, of: .init(rawValue: id))))
    case .remove(let id): return outcome(of: model.start(.remove(.init(rawValue: id))))
    case .load: return outcome(of: await model.load())
    case .discardUnanswered: model.discardUnanswered()
    case .cancel: await model.cancel()
    case .flush: return outcome(of: model.flush())
    case .close: return outcome(of: await model.close())
    }
    return nil
  }

  var states: AsyncStream<CartState> { model.states() }

  static func shown(_ state: CartState) -> KeyValuePairs<String, Any> {
    [
      "cart": state.cart.line, "pending": state.pendingCount, "has unanswered": state.hasUnanswered,
      "loads": state.isLoading, "load failure": text(state.loadFailure), "closed": state.isClosed,
      "save failure": text(state.saveFailure), "late refusal": text(state.lateRefusal),
      "follows": state.following.isActive, "feed failure": text(state.following.failure),
    ]
  }
}
