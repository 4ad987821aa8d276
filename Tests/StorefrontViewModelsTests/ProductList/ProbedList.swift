import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// A list whose test mentions each request, and each state that the screen shows.
struct ProbedList {
  /// What the screen shows.
  struct Shown: Equatable, Sendable {
    var items: [CatalogProduct] = []
    var hasMore = false
    var isLoading = false
    var isRefreshing = false
    var isLoadingNextPage = false
    var failure: ServiceError?
    var nextPageFailure: ServiceError?
  }

  let model: any ListDriver
  let calls: ScriptedCalls<PageRequest, Page<CatalogProduct>>
  let states: ProbedStream<Shown>

  /// Waits until the screen shows the change, and for the request of the page at `index`.
  func request(
    _ index: Int, fileID: StaticString = #fileID, line: UInt = #line, showing change: (inout Shown) -> Void
  ) async throws -> ScriptedCall<PageRequest, Page<CatalogProduct>> {
    try await states.expect(fileID: fileID, line: line, change)
    let call = try await calls.next()
    #expect(call.request == PageRequest(index: index, size: 2))
    return call
  }
}

/// Creates the list of a stage, loads its first page (the rows 1 and 2), and runs `body`. Fails for each state and request
/// that nothing mentions.
func withProbedList(
  _ stage: ContractStage, _ paging: Paging, isLoaded: Bool = true, ignoringCancellation: Bool = false,
  _ body: (ProbedList) async throws -> Void
) async throws {
  try await stage.probe { probe in
    let service = ScriptedPageService<CatalogProduct>(ignoringCancellation: ignoringCancellation)
    let model = stage.makeList(service: paging.service(service), pageSize: 2)
    let (calls, _) = (probe.watch(service.calls), probe.track(model.subject))
    let states = try await probe.states(model.states(.unbounded).map(ProbedList.Shown.init))
    let list = ProbedList(model: model, calls: calls, states: states)
    if isLoaded {
      await model.load()
      try await list.request(0) { $0.isLoading = true }.succeed(.rows(1...2))
      try await states.expect { $0 = .init(items: .rows(1...2), hasMore: true) }
    }
    try await body(list)
    await model.settle()
  }
}

extension ProbedList.Shown {
  @Sendable fileprivate init(_ state: ProductListState) {
    self.init(
      items: state.items, hasMore: state.hasMore, isLoading: state.content.isLoading,
      isRefreshing: state.isRefreshing, isLoadingNextPage: state.isLoadingNextPage,
      failure: (state.content.error ?? state.refreshFailure) as? ServiceError,
      nextPageFailure: state.nextPageFailure as? ServiceError)
  }
}
