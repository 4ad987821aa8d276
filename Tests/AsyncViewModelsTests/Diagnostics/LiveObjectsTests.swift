import AsyncViewModels
import Testing

@Suite("Census", .timeLimit(.minutes(1)), .enabled(if: LiveObjects.areCounted))
struct LiveObjectsTests {
  private final class Subject: Sendable {
    private let liveObject = LiveObjectToken(.viewModel, "Subject")
  }

  @Test("whoever stores an entry is counted for as long as it lives, by kind and name")
  func storedEntry() {
    LiveObjects.scoped { liveObjects in
      var subjects = [Subject(), Subject()]
      let other = LiveObjectToken(.observer, "Other")
      #expect(liveObjects.count[.viewModel, "Subject"] == 2)
      #expect(liveObjects.count[.viewModel] == 2)
      #expect(liveObjects.count[.observer, "Other"] == 1)
      #expect(liveObjects.count[.task] == 0)
      #expect(liveObjects.count.names(of: .viewModel) == ["Subject"])
      subjects.removeLast()
      #expect(liveObjects.count[.viewModel, "Subject"] == 1)
      subjects.removeAll()
      #expect(liveObjects.count.names(of: .viewModel) == [])
      other.end()
      #expect(liveObjects.count.isEmpty)
    }
  }

  @Test("an entry leaves once, whichever of its copies ends first")
  func copies() {
    LiveObjects.scoped { liveObjects in
      let other = LiveObjectToken(.task, "work")
      do {
        let entry = LiveObjectToken(.task, "work")
        let copy = entry
        copy.end()
        entry.end()
      }
      #expect(liveObjects.count[.task, "work"] == 1)
      other.end()
    }
  }

  @Test("entries that come and go on many threads are all counted")
  func manyThreads() async {
    await LiveObjects.scoped { liveObjects in
      let kept = await withTaskGroup(of: [LiveObjectToken].self) { group in
        for _ in 0..<8 {
          group.addTask {
            (0..<1_000).compactMap { round in
              let entry = LiveObjectToken(.task, "work \(round % 7)")
              return round.isMultiple(of: 10) ? entry : nil
            }
          }
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
      #expect(kept.count == 800)
      #expect(liveObjects.count[.task] == 800)
    }
  }

  @Test("a scope counts what its tasks make, and what is around it counts that too")
  func nestedScopes() async {
    await LiveObjects.scoped { outer in
      let before = LiveObjectToken(.task, "before")
      await LiveObjects.scoped { inner in
        let within = await Task { LiveObjectToken(.task, "within") }.value
        #expect(inner.count[.task, "within"] == 1)
        #expect(inner.count[.task, "before"] == 0)
        #expect(outer.count[.task] == 2)
        #expect(LiveObjects.process.count[.task, "within"] >= 1)
        #expect(LiveObjects.current === inner)
        withExtendedLifetime(within) {}
      }
      #expect(LiveObjects.current === outer)
      withExtendedLifetime(before) {}
    }
  }

  @Test("neither what another task makes nor a detached one counts in a scope")
  func otherTasks() async {
    await LiveObjects.scoped { liveObjects in
      let stranger = await Task.detached { LiveObjectToken(.task, "stranger to its scope") }.value
      #expect(liveObjects.count.isEmpty)
      #expect(LiveObjects.process.count[.task, "stranger to its scope"] == 1)
      withExtendedLifetime(stranger) {}
    }
  }

  @Test("an entry leaves the scope that it came to, also when that has ended")
  func endedScope() {
    let (entry, liveObjects) = LiveObjects.scoped { (LiveObjectToken(.task, "late"), $0) }
    #expect(liveObjects.count[.task] == 1)
    entry.end()
    #expect(liveObjects.count.isEmpty)
  }

  @Test("what there is more of is said, and what has gone does not make up for it")
  func difference() {
    LiveObjects.scoped { liveObjects in
      let leaving = LiveObjectToken(.observer, "leaving")
      let staying = LiveObjectToken(.observer, "staying")
      let before = liveObjects.count
      leaving.end()
      let more = [
        LiveObjectToken(.observer, "staying"), LiveObjectToken(.task, "a"), LiveObjectToken(.task, "b"),
      ]
      let growth = liveObjects.count.beyond(before)
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
