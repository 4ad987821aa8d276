import AsyncViewModels
import Testing

@Suite("Census, by build", .timeLimit(.minutes(1)))
struct LiveObjectsBuildTests {
  @Test("an entry costs a reference in a debug build, and nothing in a release build")
  func size() {
    #expect(MemoryLayout<LiveObjectToken>.size == (LiveObjects.areCounted ? MemoryLayout<Int>.size : 0))
  }

  @Test("a build that takes no census does not even compute the names")
  func names() {
    var isComputed = false
    func name() -> String {
      isComputed = true
      return "named"
    }
    let entry = LiveObjectToken(.task, name())
    #expect(isComputed == LiveObjects.areCounted)
    entry.end()
  }
}
