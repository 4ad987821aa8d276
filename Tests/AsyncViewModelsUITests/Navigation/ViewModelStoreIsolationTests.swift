import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@testable import AsyncViewModelsUI

@Suite("Isolations of a ViewModelStore", .timeLimit(.minutes(5)), .endsWaits)
struct ViewModelStoreIsolationTests {
  @Test("a store without an isolation cannot be used by main-actor code synchronously")
  func ownIsolation() {
    for (isolation, isOwn) in [(nil, true), (MainActor.shared, false)] as [((any Actor)?, Bool)] {
      #expect(
        ViewModelStore<Int, ScreenModel>(isolation: isolation) { _ in ScreenModel() }.hasOwnIsolation == isOwn
      )
    }
  }
}
