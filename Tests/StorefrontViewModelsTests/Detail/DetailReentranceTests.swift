import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels
import Synchronization
import Testing

/// What a service does when it is cancelled is its own business: it may come back to whoever cancels it.
@Suite("Detail: a service that comes back when it is cancelled", .timeLimit(.minutes(1)))
struct DetailReentranceTests {
  @Test("the closure stage can be asked for its state then")
  func closureStage() async throws {
    try await LeakTracker.check { tracker in
      let service = ComingBackService()
      let model = tracker.track(DetailClosureViewModel(itemID: 7, source: .list, service: service))
      let shown = Mutex<DetailState<Row>?>(nil)
      service.comeBack { [weak model] in
        let state = model?.state
        shown.withLock { $0 = state }
      }
      model.loadIfNeeded()
      await service.isAsked.wait()
      model.cancel()
      #expect(shown.withLock { $0 }?.content.isLoading == false)
    }
  }

  @Test("the stream stage can be cancelled once more then")
  func streamStage() async throws {
    try await LeakTracker.check { tracker in
      let service = ComingBackService()
      let model = tracker.track(DetailStreamViewModel(itemID: 7, source: .list, service: service))
      let isBack = Gate()
      service.comeBack { [weak model] in
        model?.cancel()
        isBack.open()
      }
      model.loadIfNeeded()
      await service.isAsked.wait()
      model.cancel()
      #expect(isBack.isOpen)
      #expect(model.state.content.isLoading == false)
    }
  }
}

/// A service that never answers, and does something of its own when it is cancelled.
private final class ComingBackService: DetailClosureService {
  let isAsked = Gate()
  private let back = Mutex<@Sendable () -> Void>({})

  func comeBack(_ back: @escaping @Sendable () -> Void) {
    self.back.withLock { $0 = back }
  }

  func detail(
    of id: Row.ID, completion: @escaping @Sendable (Result<Row, any Error>) -> Void
  ) -> CancellationToken {
    isAsked.open()
    return CancellationToken { [weak self] in self?.back.withLock { $0 }() }
  }
}
