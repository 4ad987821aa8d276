import Domain
import Testing

@Suite("Census, by build", .timeLimit(.minutes(1)))
struct CensusBuildTests {
  @Test("an entry costs a reference in a debug build, and nothing in a release build")
  func size() {
    #expect(MemoryLayout<CensusEntry>.size == (Census.isTaken ? MemoryLayout<Int>.size : 0))
  }

  @Test("a build that takes no census does not even compute the names")
  func names() {
    var isComputed = false
    func name() -> String {
      isComputed = true
      return "named"
    }
    let entry = CensusEntry(.task, name())
    #expect(isComputed == Census.isTaken)
    entry.end()
  }
}
