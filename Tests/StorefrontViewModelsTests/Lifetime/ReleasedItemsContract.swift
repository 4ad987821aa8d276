import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import ListSnapshots
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization
import Testing

/// In every stage, a view model holds no lock when it releases the items that an answer replaces.
///
/// The `deinit` of an item can run any code.
@Suite("Items that an answer replaces", .timeLimit(.minutes(5)), .endsWaits)
struct ReleasedItemsContract {
  @Test(
    "the `deinit` of a replaced item can read the state and remove an observer",
    arguments: ContractStage.inProcess, ItemFeature.allCases)
  func callsTheViewModel(stage: ContractStage, feature: ItemFeature) async throws {
    try await LeakTracker.check { tracker in
      let service = ItemService()
      let model = feature.makeModel(stage, service)
      tracker.track(model.subject)
      await model.load().value
      let observer = Mutex<CancellationToken?>(model.observe())
      let released = Gate()
      service.onRelease {
        model.readState()
        observer.take()
        released.open()
      }
      await model.refresh().value
      await released.wait()
      service.onRelease(nil)
      #expect(model.itemCount() == 1)
    }
  }

  @Test(
    "the `deinit` of a replaced item can wait for a queue that reads the state",
    arguments: ContractStage.inProcess, ItemFeature.allCases)
  func waitsForQueue(stage: ContractStage, feature: ItemFeature) async throws {
    try await LeakTracker.check { tracker in
      let service = ItemService()
      let model = feature.makeModel(stage, service)
      tracker.track(model.subject)
      await model.load().value
      let queue = DispatchQueue(label: "a queue that reads the state")
      let results = EventChannel<DispatchTimeoutResult>()
      service.onRelease {
        let hasRead = DispatchSemaphore(value: 0)
        queue.async {
          model.readState()
          hasRead.signal()
        }
        results.keepForFirstObserver(hasRead.wait(timeout: .now() + 60))
      }
      await model.refresh().value
      for await result in results.events() {
        #expect(result == .success)
        break
      }
      service.onRelease(nil)
    }
  }
}

/// A feature whose items can be of any type.
enum ItemFeature: CaseIterable, Sendable {
  case catalog, search
  /// The next page contains the item of the first page.
  case nextPageOfSearch

  struct Model: Sendable {
    let subject: any AnyObject & Sendable
    let readState: @Sendable () -> Void
    let itemCount: @Sendable () -> Int
    /// Adds an observer, which is removed when the token is released.
    let observe: @Sendable () -> CancellationToken
    let load: @Sendable () async -> Task<Void, Never>
    let refresh: @Sendable () async -> Task<Void, Never>
  }

  func makeModel(_ stage: ContractStage, _ service: ItemService) -> Model {
    switch self {
    case .catalog:
      let model =
        stage.form == .crossed
        ? stage.stage.makeCatalog(service: service.asAsync, closures: service.asClosure, pageSize: 2) { _ in 0
        }
        : stage.stage.makeCatalog(service: service, closures: service, pageSize: 2) { _ in 0 }
      return Model(
        subject: model.subject, readState: { _ = model.state },
        itemCount: { model.state.content.value?.itemCount ?? 0 },
        observe: { observe(model.states()) }, load: { await model.load() },
        refresh: { await model.refresh() })
    case .search, .nextPageOfSearch:
      let model = stage.makeSearch(service: service, clock: VirtualClock())
      model.setQuery("tea")
      return Model(
        subject: model.subject, readState: { _ = model.state },
        itemCount: { model.state.results.value?.count ?? 0 },
        observe: { observe(model.states()) }, load: { model.submit() },
        refresh: { self == .search ? model.submit() : model.loadNextPage() })
    }
  }
}

private func observe<State: Sendable>(_ states: AsyncStream<State>) -> CancellationToken {
  let reader = Task { for await _ in states {} }
  return CancellationToken(onCancel: reader.cancel)
}
