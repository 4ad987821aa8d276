import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Dispatch
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The dashboard, whose three parts load in parallel: the time until all three show.
enum DashboardBenchmarks {
  static func groups(server: ServerProcess, catalog: Catalog) -> [BenchmarkGroup] {
    [assembly(.http(server), catalog), assembly(.memory, catalog)].map(\.group)
  }

  /// Creates a view model for each iteration.
  private static func assembly(_ backend: Backend, _ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Dashboard", title: "assemble all three parts", unit: "dashboard", backend: backend,
      catalog: catalog
    ) { stage, storefronts in
      Workload { iterations in
        for _ in 0..<iterations {
          switch stage {
          case .closure: try await assembleWithClosures(storefronts.closure)
          case .stream: try await assembleWithStream(storefronts.closure)
          case .async: try await assembleWithActor(storefronts.async)
          }
        }
        return iterations
      }
    }
  }

  private static func assembleWithClosures(_ services: any ClosureStorefront) async throws {
    let viewModel = DashboardClosureViewModel(
      profile: services, orders: services, recommendations: services,
      callbackQueue: DispatchQueue(label: "callbacks"))
    let watch = StateWatch<DashboardState>()
    let binding = viewModel.bind { watch.observe($0) }
    defer { binding.cancel() }
    viewModel.load()
    try await watch.first(where: \.hasSettled).check()
  }

  private static func assembleWithStream(_ services: any ClosureStorefront) async throws {
    let viewModel = DashboardStreamViewModel(
      profile: services, orders: services, recommendations: services,
      callbackQueue: DispatchQueue(label: "callbacks"))
    var states = viewModel.states().makeAsyncIterator()
    viewModel.load()
    try await states.first(where: \.hasSettled).check()
  }

  private static func assembleWithActor(_ services: any AsyncStorefront) async throws {
    let viewModel = DashboardViewModel(
      profile: services, orders: services, recommendations: services)
    var states = viewModel.states().makeAsyncIterator()
    await viewModel.load()
    try await states.first(where: \.hasSettled).check()
  }
}

extension DashboardState {
  /// Whether every part has its answer.
  fileprivate var hasSettled: Bool {
    !isLoading && (profile.value != nil || !failures.isEmpty)
  }

  fileprivate func check() throws {
    if let error = failures.values.first { throw error }
  }
}
