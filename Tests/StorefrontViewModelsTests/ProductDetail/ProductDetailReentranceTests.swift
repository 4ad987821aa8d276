import AsyncViewModels
import AsyncViewModelsGCD
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels
import Synchronization
import Testing

/// A service's cancellation handler may call the view model that cancels the request.
@Suite("Product detail: calls from a cancellation handler", .timeLimit(.minutes(5)), .endsWaits)
struct ProductDetailReentranceTests {
  @Test("in the closure stage, a cancellation handler can read the state and cancel again")
  func closureStage() async throws {
    try await LeakTracker.check { tracker in
      let service = ReentrantDetailService()
      let model = tracker.track(ProductDetailClosureViewModel(itemID: 7, source: .list, service: service))
      let shown = Mutex<ProductDetailState?>(nil)
      service.onCancel { [weak model] in
        let state = model?.state
        model?.cancel()
        shown.withLock { $0 = state }
      }
      model.load()
      await service.isCalled.wait()
      model.cancel()
      #expect(shown.withLock { $0 }?.content.isLoading == false)
    }
  }

  @Test("in the stream stage, a cancellation handler can cancel again")
  func streamStage() async throws {
    try await LeakTracker.check { tracker in
      let service = ReentrantDetailService()
      let model = tracker.track(ProductDetailStreamViewModel(itemID: 7, source: .list, service: service))
      let isHandled = Gate()
      service.onCancel { [weak model] in
        model?.cancel()
        isHandled.open()
      }
      model.load()
      await service.isCalled.wait()
      model.cancel()
      #expect(isHandled.isOpen)
      #expect(model.state.content.isLoading == false)
    }
  }

  @Test("in the async stage, a cancellation handler reads the state from before the load")
  func asyncStage() async throws {
    try await LeakTracker.check { tracker in
      let service = ReentrantDetailService()
      let model = tracker.track(ProductDetailViewModel(itemID: 7, source: .list, service: service.asAsync))
      let shown = Mutex<ProductDetailState?>(nil)
      service.onCancel { [weak model] in
        let state = model?.state
        shown.withLock { $0 = state }
      }
      let load = Task { await model.load() }
      await service.isCalled.wait()
      await model.cancel()
      await load.value
      try await until { shown.withLock { $0 } != nil }
      #expect(shown.withLock { $0 }?.content.isLoading == false)
    }
  }
}

/// A service that never answers, and calls a handler when its request is cancelled.
private final class ReentrantDetailService: DetailClosureService {
  let isCalled = Gate()
  private let handler = Mutex<@Sendable () -> Void>({})

  func onCancel(_ handler: @escaping @Sendable () -> Void) {
    self.handler.withLock { $0 = handler }
  }

  func detail(
    of id: CatalogProduct.ID, completion: @escaping @Sendable (Result<CatalogProduct, any Error>) -> Void
  ) -> CancellationToken {
    isCalled.open()
    return CancellationToken { [weak self] in self?.handler.withLock { $0 }() }
  }
}
