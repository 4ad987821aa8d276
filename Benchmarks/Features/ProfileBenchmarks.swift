import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontTesting
import StorefrontViewModels

/// The profile and its form: the time until the profile shows, until an edit shows, and until a save is confirmed.
enum ProfileBenchmarks {
  static func groups(server: ServerProcess, catalog: Catalog) -> [BenchmarkGroup] {
    [
      opening(.http(server), catalog), opening(.memory, catalog), saves(.http(server), catalog),
      saves(.memory, catalog), edits(catalog),
    ].map(\.group)
  }

  /// Creates a view model for each iteration, because a loaded profile does not load again.
  private static func opening(_ backend: Backend, _ catalog: Catalog) -> FeatureBenchmark {
    FeatureBenchmark(
      feature: "Profile", title: "open the profile", unit: "profile", backend: backend, catalog: catalog
    ) { stage, storefronts in
      switch stage {
      case .closure:
        return .opening {
          ProfileClosureViewModel(
            service: storefronts.closure, callbackQueue: DispatchQueue(label: "callbacks"))
        } bind: {
          $0.bind($1)
        } load: {
          $0.load()
        } outcome: {
          $0.content.outcome
        }
      case .stream:
        return .opening {
          ProfileStreamViewModel(service: storefronts.closure)
        } load: {
          $0.load()
        } outcome: {
          $0.content.outcome
        }
      case .async:
        return .opening {
          ProfileViewModel(service: storefronts.async)
        } load: {
          await $0.load()
        } outcome: {
          $0.content.outcome
        }
      }
    }
  }

  /// Changes the name and saves it. Waits after each save until its confirmation shows.
  private static func saves(_ backend: Backend, _ catalog: Catalog) -> FeatureBenchmark {
    changes("save a name, and see it confirmed", unit: "save", backend, catalog) { viewModel in
      let name = viewModel.state.otherName
      try viewModel.edit(.name, to: name)
      try await CartBenchmarks.answer { viewModel.save(completion: $0) }
      return { $0.isConfirmed(name) }
    } stream: { viewModel in
      let name = viewModel.state.otherName
      try viewModel.edit(.name, to: name)
      try await CartBenchmarks.answer { viewModel.save(completion: $0) }
      return { $0.isConfirmed(name) }
    } async: { viewModel in
      let name = viewModel.state.otherName
      try viewModel.edit(.name, to: name)
      try await viewModel.save()
      return { $0.isConfirmed(name) }
    }
  }

  /// Changes the text of the form without a request. Waits after each edit until it shows.
  private static func edits(_ catalog: Catalog) -> FeatureBenchmark {
    changes("edit the name, and see it", unit: "edit", .memory, catalog) { viewModel in
      let name = viewModel.state.otherName
      try viewModel.edit(.name, to: name)
      return { $0.draft?.name == name }
    } stream: { viewModel in
      let name = viewModel.state.otherName
      try viewModel.edit(.name, to: name)
      return { $0.draft?.name == name }
    } async: { viewModel in
      let name = viewModel.state.otherName
      try viewModel.edit(.name, to: name)
      return { $0.draft?.name == name }
    }
  }

  private typealias Change<Model> = @Sendable (Model) async throws -> @Sendable (ProfileState) -> Bool

  private static func changes(
    _ title: String, unit: String, _ backend: Backend, _ catalog: Catalog,
    closure: @escaping Change<ProfileClosureViewModel>, stream: @escaping Change<ProfileStreamViewModel>,
    async: @escaping Change<ProfileViewModel>
  ) -> FeatureBenchmark {
    FeatureBenchmark(feature: "Profile", title: title, unit: unit, backend: backend, catalog: catalog) {
      stage, storefronts in
      switch stage {
      case .closure:
        .changing(
          ProfileClosureViewModel(
            service: storefronts.closure, callbackQueue: DispatchQueue(label: "callbacks")),
          bind: { $0.bind($1) },
          begin: { viewModel in await Workload.completion { viewModel.load(completion: $0) } },
          change: closure)
      case .stream:
        .changing(
          ProfileStreamViewModel(
            service: storefronts.closure, callbackQueue: DispatchQueue(label: "callbacks")),
          begin: { viewModel in await Workload.completion { viewModel.load(completion: $0) } },
          change: stream)
      case .async:
        .changing(
          ProfileViewModel(service: storefronts.async), begin: { await $0.load() }, change: async)
      }
    }
  }
}

extension ProfileState {
  /// A name that differs from the text in the form.
  fileprivate var otherName: String { draft?.name == "Ada" ? "Grace" : "Ada" }

  fileprivate func isConfirmed(_ name: String) -> Bool {
    !isSaving && !isDirty && content.value?.name == name
  }
}
