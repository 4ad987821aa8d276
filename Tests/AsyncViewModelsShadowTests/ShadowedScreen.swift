import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsShadow
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// A comparison of the closure stage with the async stage of a feature, in virtual time.
@MainActor
final class ShadowedScreen<Old, New> {
  typealias Comparison = ShadowComparison<Old, New, Shown>

  let clock = VirtualClock()
  private(set) var differences: [ShadowDifference] = []
  private(set) var comparison: Comparison!

  init(
    old: Old, _ oldState: @escaping @MainActor (Old) -> Shown,
    new: @autoclosure () -> New, _ newState: @escaping @MainActor (New) -> Shown, _ calls: ShadowCalls
  ) {
    comparison = Comparison(
      old: old, state: oldState, new: new(), state: newState, calls: calls, clock: clock
    ) { [weak self] in self?.differences.append($0) }
  }

  /// Advances the time until the view models have been compared once more, or a difference is found.
  func settle() async throws {
    let count = comparison.comparedCount
    while comparison.comparedCount == count, differences.isEmpty {
      try await until {
        clock.sleeperCount > 0 || comparison.comparedCount > count || !differences.isEmpty
      }
      clock.advance(by: .seconds(1))
    }
  }
}

/// What a screen shows. Both stages show the same texts.
struct Shown: Equatable, Sendable {
  let lines: [String]
  let isLoading: Bool
  let failures: [String]

  init(_ state: CartState) {
    lines = ["\(state.cart.items)", "pending: \(state.pendingCount)", "\(state.hasUnanswered)"]
    isLoading = state.isLoading
    failures = [state.loadFailure, state.lateRefusal].map { $0.map { "\($0)" } ?? "" }
  }

  init(_ state: PostsState) {
    lines = state.posts.map { "\($0)" } + ["\(state.hasMore)"]
    isLoading = state.isLoading
    failures = [state.refreshFailure, state.nextPageFailure].map { $0.map { "\($0)" } ?? "" }
  }

  init(_ state: ProductListState) {
    lines = state.items.map { "\($0)" } + ["\(state.hasMore)"]
    isLoading = state.pendingRequest != nil
    failures = [state.refreshFailure, state.nextPageFailure].map { $0.map { "\($0)" } ?? "" }
  }
}

let callbackQueue = DispatchQueue(label: "ShadowTests")

@MainActor
func cartScreen(
  _ service: some OldBase, _ calls: ShadowCalls, new: (any CartService)? = nil
) -> ShadowedScreen<CartClosureViewModel, CartViewModel> {
  ShadowedScreen(
    old: CartClosureViewModel(
      service: RecordedStorefront(base: service, calls: calls), callbackQueue: callbackQueue),
    { Shown($0.state) },
    new: CartViewModel(service: new ?? ReplayedStorefront(calls: calls)), { Shown($0.state) }, calls)
}

extension ShadowedScreen where Old == CartClosureViewModel, New == CartViewModel {
  func add(_ product: CatalogProduct, newQuantity: Int = 1) async {
    await comparison.perform("add \(product.id)") { old in
      await withCheckedContinuation { ended in old.add(product) { _ in ended.resume() } }
    } new: {
      try await $0.add(product, quantity: newQuantity)
    }
  }

  func load() async {
    await comparison.perform("load") { old in
      await withCheckedContinuation { ended in old.load { ended.resume() } }
    } new: {
      await $0.load()
    }
  }
}
