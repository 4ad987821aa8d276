import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

/// The storage of a view model is made once. A computed property would make another one for each use.
@Suite("Stored `hosted` and `store`", .timeLimit(.minutes(5)), .endsWaits)
struct StoredStateTests {
  private actor Computed: ViewModelActor {
    nonisolated var hosted: HostedState<Int> { HostedState(0) }
    func call() {}
  }

  private final class ComputedStore: StateSource {
    var store: ObservableState<Int> { ObservableState(0) }
  }

  private final class Forwarding: StateSource {
    let model = HostedModel(7)
    var store: ObservableState<Int> { model.store }
  }

  #if os(macOS) || os(Linux)
    @Test("a computed `hosted` stops the process at the first call, with a message that names the property")
    func computedHost() async throws {
      let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await Computed().call()
      }
      #expect(String(decoding: exit.standardErrorContent, as: UTF8.self).contains("Computed.hosted"))
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
