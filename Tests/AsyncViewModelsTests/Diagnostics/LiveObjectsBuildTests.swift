import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@Suite("LiveObjects in debug and release builds", .timeLimit(.minutes(5)), .endsWaits)
struct LiveObjectsBuildTests {
  @Test("a token has the size of a reference in a debug build and no size in a release build")
  func size() {
    #expect(MemoryLayout<LiveObjectToken>.size == (LiveObjects.areCounted ? MemoryLayout<Int>.size : 0))
  }

  @Test("the name of a token is evaluated only in a build that counts live objects")
  func names() {
    var isComputed = false
    func name() -> String {
      isComputed = true
      return "named"
    }
    let token = LiveObjectToken(.task, name())
    #expect(isComputed == LiveObjects.areCounted)
    token.end()
  }
}
