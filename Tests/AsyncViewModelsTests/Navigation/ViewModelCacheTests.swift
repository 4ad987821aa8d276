import Testing

@testable import AsyncViewModels
@testable import AsyncViewModelsTesting

@Suite("ViewModelCache", .timeLimit(.minutes(1)))
struct ViewModelCacheTests {
  @Test("a lease that ends after the cache has closed changes only the number of leases")
  func leaseEndsAfterClose() async {
    let cache = ViewModelCache<Int, ScreenModel>(retention: .seconds(1), clock: VirtualClock())
    do {
      let lease = cache.insert(ScreenModel(), for: 1)
      #expect(cache.counts.live == 1)
      cache.close()
      #expect(cache.counts == ViewModelCounts(leases: 1))
      withExtendedLifetime(lease) {}
    }
    #expect(cache.counts == ViewModelCounts())
  }
}
