import AsyncViewModelsRequests
import Domain
import Observation
import Services

/// A view model that is a class on the main actor, which is the default isolation of this target.
@Observable
final class ProfileViewModel {
  private(set) var profile: Profile
  private(set) var productCount = 0
  private(set) var orders: [Order] = []
  private(set) var isSaved = true
  private(set) var isSaving = false
  private(set) var failure: String?
  @ObservationIgnored private let shop: any Shop
  @ObservationIgnored private let saving = TaskSlot(.latest)
  @ObservationIgnored private let loading = TaskSlot(.join)
  @ObservationIgnored let pages = SingleFlight<Int, Page<Product>>()
  @ObservationIgnored private let tasks = TaskBag()
  @ObservationIgnored private var observation: CancellationToken?

  init(_ profile: Profile, shop: any Shop) {
    self.profile = profile
    self.shop = shop
  }

  func rename(_ name: String) {
    profile.name = name
    isSaved = false
  }

  func follow(_ counts: AsyncStream<Int>) {
    observation = counts.observe(on: self) { model, count in model.productCount = count }
  }

  /// Saves the profile and returns when the save has ended. Replaces a save in progress.
  func save() async {
    isSaving = true
    let profile = profile
    await saving.run(on: self) { [shop] in
      try await shop.save(profile)
    } commit: { model, outcome in
      model.isSaving = false
      switch outcome {
      case .success: model.isSaved = model.profile == profile
      case .failure(let error): model.failure = error.localizedDescription
      case .cancelled: break
      }
    }
  }

  func cancelSave() {
    saving.cancel()
    isSaving = false
  }

  /// Starts to load the orders before a screen needs them, unless a load is in progress.
  func prefetchOrders() { _ = startLoading() }

  /// Loads the orders, or waits for the load in progress.
  func load() async { await startLoading().wait() }

  private func startLoading() -> TaskSlot.Run {
    loading.start(on: self) { [shop] in
      try await shop.orders()
    } commit: { model, outcome in
      if case .success(let orders) = outcome { model.orders = orders }
    }
  }

  /// Counts the products page by page, and shows the new count after each page.
  func count(pages: ClosedRange<Int>) async {
    productCount = 0
    await loading.run(
      on: self,
      inSteps: { [shop] commit in
        for page in pages {
          guard let items = try? await shop.products(page: page).items else { return }
          guard await commit({ model in model.productCount += items.count }) else { return }
        }
      },
      onCancel: { model in model.productCount = 0 })
  }

  /// Returns the products of a page. Requests of the same page at the same time share one call.
  func products(page: Int) async throws -> [Product] {
    try await pages.value(for: page) { [shop] in try await shop.products(page: page) }.items
  }

  /// Loads a page ahead of its use.
  func prefetch(page: Int) {
    tasks.run { [weak self] in
      guard let products = try? await self?.products(page: page) else { return }
      self?.productCount = products.count
    }
  }
}
