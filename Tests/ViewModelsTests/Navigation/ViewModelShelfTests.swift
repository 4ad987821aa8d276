import Testing
import ViewModelTesting

@testable import ViewModels

@Suite("View model shelf", .timeLimit(.minutes(1)))
struct ViewModelShelfTests {
  @Test("a lease that ends after everything was let go changes nothing but the number of leases")
  func leaveAfterClose() async {
    let shelf = ViewModelShelf<Int, ScreenModel>(grace: .seconds(1), clock: VirtualClock())
    do {
      let lease = shelf.insert(ScreenModel(), for: 1)
      #expect(shelf.counts.live == 1)
      shelf.close()
      #expect(shelf.counts == ViewModelCounts(leases: 1))
      withExtendedLifetime(lease) {}
    }
    #expect(shelf.counts == ViewModelCounts())
  }
}
