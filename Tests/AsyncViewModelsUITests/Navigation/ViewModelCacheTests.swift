import Testing
import ToolkitTestSupport

@testable import AsyncViewModelsTesting
@testable import AsyncViewModelsUI

@Suite("ViewModelCache", .timeLimit(.minutes(5)), .endsWaits)
struct ViewModelCacheTests {
  @Test("a lease that ends after the cache has closed changes nothing")
  func leaseEndsAfterClose() async {
    let cache = ViewModelCache<Int, ScreenModel>(retention: .seconds(1), clock: VirtualClock())
    do {
      let lease = cache.insert(ScreenModel(), for: 1)
      #expect(cache.counts.live == 1)
      cache.close()
      #expect(cache.counts == ViewModelCounts())
      withExtendedLifetime(lease) {}
    }
    #expect(cache.counts == ViewModelCounts())
  }
}
