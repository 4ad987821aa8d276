import AsyncViewModelsTesting
import Dispatch
import Testing

@testable import AsyncViewModels

@Suite("Hosts of a ViewModelStore", .timeLimit(.minutes(5)))
struct ViewModelStoreHostTests {
  @Test("a store whose host only provides isolation cannot be used by main-actor code synchronously")
  func ownHost() {
    let (own, queue) = (Isolation(), QueueIsolation(DispatchQueue(label: "views")))
    for (host, isOwn) in [(own, true), (queue, true), (MainActor.shared, false)] as [(any Actor, Bool)] {
      #expect(ViewModelStore<Int, ScreenModel>(isolation: host) { _ in ScreenModel() }.hasOwnHost == isOwn)
    }
  }
}
