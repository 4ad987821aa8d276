import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels
import Testing

/// The detail's rules, without anybody who waits.
@Suite("Detail state", .timeLimit(.minutes(1)))
struct DetailStateTests {
  @Test("an answer that nobody waits for changes nothing")
  func stray() {
    var state = DetailState<Row>(itemID: 1, source: .list)
    state.receive(.failure(ServiceError.timedOut))
    #expect(state.content.error == nil)
    #expect(state.needsLoading)
    state.beginLoading()
    state.cancel()
    state.receive(.failure(ServiceError.timedOut))
    #expect(state.content.error == nil)
  }
}
