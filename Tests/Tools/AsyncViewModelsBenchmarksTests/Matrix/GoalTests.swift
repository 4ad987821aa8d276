import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct GoalTests {
  @Test(
    "the wanted number works, the number farthest from it fails, and every other number is limited",
    arguments: [
      (Goal.exactly(3, of: 3, "served"), [Mark.fails, .limited, .limited, .works]),
      (.exactly(0, of: 2, "lost"), [.works, .limited, .fails]),
      (.exactly(1, of: 1, "cancelled"), [.fails, .works]),
      (.exactly(1, of: 4, "queued"), [.limited, .works, .limited, .limited, .fails]),
      (.exactly(3, of: 4, "at once"), [.fails, .limited, .limited, .works, .limited]),
      (.exactly(2, of: 4, "half"), [.fails, .limited, .works, .limited, .fails]),
    ])
  func marks(_ goal: Goal, _ marks: [Mark]) {
    #expect(marks.indices.map { goal.mark($0) } == marks)
  }

  @Test("several numbers have one mark: their common mark, or limited if their marks differ")
  func several() {
    #expect(Mark([.works, .works]) == .works)
    #expect(Mark([.fails, .fails]) == .fails)
    #expect(Mark([.works, .fails]) == .limited)
    #expect(Mark([.limited, .works]) == .limited)
  }

  @Test("a finding shows its mark and all numbers, and a goal shows what is wanted")
  func finding() {
    let goals: [Goal] = [.exactly(0, of: 2_000, "lost"), .exactly(1, of: 2_000, "queued")]
    let finding = Finding([2_000, 1_203], for: goals)
    #expect("\(finding)" == "~ 2,000 of 2,000, 1,203 of 2,000")
    #expect(goals.map(\.text) == ["0 of 2,000 lost", "1 of 2,000 queued"])
  }
}
