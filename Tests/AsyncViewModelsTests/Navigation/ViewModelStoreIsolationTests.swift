import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

@Suite("Hosts of a ViewModelStore", .timeLimit(.minutes(5)), .endsWaits)
struct ViewModelStoreIsolationTests {
  @Test("a store without a host cannot be used by main-actor code synchronously")
  func ownHost() {
    for (host, isOwn) in [(nil, true), (MainActor.shared, false)] as [((any Actor)?, Bool)] {
      #expect(
        ViewModelStore<Int, ScreenModel>(isolation: host) { _ in ScreenModel() }.hasOwnIsolation == isOwn)
    }
  }
}
