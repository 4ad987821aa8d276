import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(1)))
struct ProgramTests {
  @Test(
    "bad usage is exit code 2",
    arguments: [
      ["--bogus"], ["--filter", "("], ["--filter", "no such benchmark"],
      ["--json", "/no/such/folder/out.json"],
    ])
  func badUsage(arguments: [String]) async {
    #expect(await Program.run(arguments) == 2)
  }

  @Test("help and list are exit code 0", arguments: [["--help"], ["--list"]])
  func information(arguments: [String]) async {
    #expect(await Program.run(arguments) == 0)
  }

  @Test("no two benchmarks have one name, and every group has its reference")
  func suite() {
    let groups = Suite.groups()
    let names = groups.flatMap { group in group.benchmarks.map(group.name(of:)) }
    #expect(Set(names).count == names.count)
    for group in groups {
      #expect(
        group.benchmarks.contains { $0.variant == group.reference }, "\(group.section) / \(group.title)")
    }
  }
}
