import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

/// The storage of a view model is made once. A computed property would make another one for each use.
@Suite("Stored `modelState` and `store`", .timeLimit(.minutes(5)), .endsWaits)
struct StoredStateTests {
  private actor Computed: ViewModelActor {
    nonisolated var modelState: ModelState<Int> { ModelState(0) }
    func call() {}
  }

  private final class ComputedStore: StateSource {
    var store: StateStore<Int> { StateStore(0) }
  }

  private final class Forwarding: StateSource {
    let model = IsolatedModel(7)
    var store: StateStore<Int> { model.store }
  }

  #if os(macOS) || os(Linux)
    @Test(
      "a computed `modelState` stops the process at the first call, with a message that names the property")
    func computedModelState() async throws {
      let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await Computed().call()
      }
      #expect(String(decoding: exit.standardErrorContent, as: UTF8.self).contains("Computed.modelState"))
    }

    #if DEBUG
      @Test("a computed `store` stops a debug build at the first use, with a message that names the property")
      func computedStore() async throws {
        let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          _ = ComputedStore().states()
        }
        #expect(String(decoding: exit.standardErrorContent, as: UTF8.self).contains("ComputedStore.store"))
      }
    #endif
  #endif

  @Test("a computed `store` that always returns one object is accepted")
  func forwardedStore() { #expect(Forwarding().state == 7) }
}
