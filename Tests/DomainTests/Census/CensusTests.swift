import Domain
import Testing
import ViewModelTesting

@Suite("Census", .timeLimit(.minutes(1)), .enabled(if: Census.isTaken))
struct CensusTests {
  private final class Subject: Sendable {
    private let census = CensusEntry(.viewModel, "Subject")
  }

  @Test("whoever stores an entry is counted for as long as it lives, by kind and name")
  func storedEntry() {
    Census.scoped { census in
      var subjects = [Subject(), Subject()]
      let other = CensusEntry(.observer, "Other")
      #expect(census.count[.viewModel, "Subject"] == 2)
      #expect(census.count[.viewModel] == 2)
      #expect(census.count[.observer, "Other"] == 1)
      #expect(census.count[.task] == 0)
      #expect(census.count.names(of: .viewModel) == ["Subject"])
      subjects.removeLast()
      #expect(census.count[.viewModel, "Subject"] == 1)
      subjects.removeAll()
      #expect(census.count.names(of: .viewModel) == [])
      other.end()
      #expect(census.count.isEmpty)
    }
  }

  @Test("an entry leaves once, whichever of its copies ends first")
  func copies() {
    Census.scoped { census in
      let other = CensusEntry(.task, "work")
      do {
        let entry = CensusEntry(.task, "work")
        let copy = entry
        copy.end()
        entry.end()
      }
      #expect(census.count[.task, "work"] == 1)
      other.end()
    }
  }

  @Test("entries that come and go on many threads are all counted")
  func manyThreads() async {
    await Census.scoped { census in
      let kept = await withTaskGroup(of: [CensusEntry].self) { group in
        for _ in 0..<8 {
          group.addTask {
            (0..<1_000).compactMap { round in
              let entry = CensusEntry(.task, "work \(round % 7)")
              return round.isMultiple(of: 10) ? entry : nil
            }
          }
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
      #expect(kept.count == 800)
      #expect(census.count[.task] == 800)
    }
  }

  @Test("a scope counts what its tasks make, and what is around it counts that too")
  func nestedScopes() async {
    await Census.scoped { outer in
      let before = CensusEntry(.task, "before")
      await Census.scoped { inner in
        let within = await Task { CensusEntry(.task, "within") }.value
        #expect(inner.count[.task, "within"] == 1)
        #expect(inner.count[.task, "before"] == 0)
        #expect(outer.count[.task] == 2)
        #expect(Census.process.count[.task, "within"] >= 1)
        #expect(Census.current === inner)
        withExtendedLifetime(within) {}
      }
      #expect(Census.current === outer)
      withExtendedLifetime(before) {}
    }
  }

  @Test("neither what another task makes nor a detached one counts in a scope")
  func otherTasks() async {
    await Census.scoped { census in
      let stranger = await Task.detached { CensusEntry(.task, "stranger to its scope") }.value
      #expect(census.count.isEmpty)
      #expect(Census.process.count[.task, "stranger to its scope"] == 1)
      withExtendedLifetime(stranger) {}
    }
  }

  @Test("an entry leaves the scope that it came to, also when that has ended")
  func endedScope() {
    let (entry, census) = Census.scoped { census in (CensusEntry(.task, "late"), census) }
    #expect(census.count[.task] == 1)
    entry.end()
    #expect(census.count.isEmpty)
  }

  @Test("what there is more of is said, and what has gone does not make up for it")
  func difference() {
    Census.scoped { census in
      let leaving = CensusEntry(.observer, "leaving")
      let staying = CensusEntry(.observer, "staying")
      let before = census.count
      leaving.end()
      let more = [CensusEntry(.observer, "staying"), CensusEntry(.task, "a"), CensusEntry(.task, "b")]
      let growth = census.count.beyond(before)
      #expect(growth[.observer, "staying"] == 1)
      #expect(growth[.observer] == 1)
      #expect(growth.names(of: .task) == ["a", "b"])
      #expect("\(growth)" == "2 tasks: a, b · 1 observer: staying")
      #expect(before.beyond(before).isEmpty)
      #expect("\(before.beyond(before))" == "nothing")
      withExtendedLifetime((staying, more)) {}
    }
  }
}
