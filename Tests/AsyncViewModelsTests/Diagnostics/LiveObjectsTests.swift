import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("LiveObjects", .timeLimit(.minutes(5)), .endsWaits, .enabled(if: LiveObjects.areCounted))
struct LiveObjectsTests {
  private final class Subject: Sendable {
    private let liveObject = LiveObjectToken(.viewModel, "Subject")
  }

  @Test("an object that stores a token is counted by kind and name until it is released")
  func storedToken() {
    LiveObjects.scoped { liveObjects in
      var subjects = [Subject(), Subject()]
      let other = LiveObjectToken(.observer, "Other")
      #expect(liveObjects.count[.viewModel, "Subject"] == 2)
      #expect(liveObjects.count[.viewModel] == 2)
      #expect(liveObjects.count[.observer, "Other"] == 1)
      #expect(liveObjects.count[.task] == 0)
      #expect(liveObjects.count.names(of: .viewModel) == ["Subject"])
      #expect("\(liveObjects.count)" == "2 view models: Subject ×2 · 1 observer: Other")
      subjects.removeLast()
      #expect(liveObjects.count[.viewModel, "Subject"] == 1)
      subjects.removeAll()
      #expect(liveObjects.count.names(of: .viewModel) == [])
      other.end()
      #expect(liveObjects.count.isEmpty)
    }
  }

  @Test("the copies of a token count once and end together")
  func copies() {
    LiveObjects.scoped { liveObjects in
      let other = LiveObjectToken(.task, "work")
      do {
        let token = LiveObjectToken(.task, "work")
        let copy = token
        copy.end()
        token.end()
      }
      #expect(liveObjects.count[.task, "work"] == 1)
      other.end()
    }
  }

  @Test("tokens that many threads create and release at the same time are counted exactly")
  func manyThreads() async {
    await LiveObjects.scoped { liveObjects in
      let kept = await withTaskGroup(of: [LiveObjectToken].self) { group in
        for _ in 0..<8 {
          group.addTask {
            (0..<1_000).compactMap { round in
              let token = LiveObjectToken(.task, "work \(round % 7)")
              return round.isMultiple(of: 10) ? token : nil
            }
          }
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
      #expect(kept.count == 800)
      #expect(liveObjects.count[.task] == 800)
    }
  }

  @Test("a scope counts the objects that its tasks create, and so do the enclosing scopes")
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

  @Test("a synchronous scope within another one counts for both")
  func nestedSynchronousScopes() {
    LiveObjects.scoped { outer in
      LiveObjects.scoped { inner in
        let token = LiveObjectToken(.task, "within")
        #expect(inner.count[.task, "within"] == 1)
        #expect(outer.count[.task, "within"] == 1)
        token.end()
        #expect(outer.count.isEmpty)
      }
    }
  }

  @Test("only the count of the whole process includes an object that a detached task creates")
  func detachedTask() async {
    await LiveObjects.scoped { liveObjects in
      let detached = await Task.detached { LiveObjectToken(.task, "outside the scope") }.value
      #expect(liveObjects.count.isEmpty)
      #expect(LiveObjects.process.count[.task, "outside the scope"] == 1)
      withExtendedLifetime(detached) {}
    }
  }

  @Test("a token that ends after its scope is still removed from the count of that scope")
  func endedScope() {
    let (token, liveObjects) = LiveObjects.scoped { (LiveObjectToken(.task, "late"), $0) }
    #expect(liveObjects.count[.task] == 1)
    token.end()
    #expect(liveObjects.count.isEmpty)
  }

  @Test("the difference of two counts lists the added objects, and released objects do not offset them")
  func difference() {
    LiveObjects.scoped { liveObjects in
      let leaving = LiveObjectToken(.observer, "leaving")
      let staying = LiveObjectToken(.observer, "staying")
      let before = liveObjects.count
      leaving.end()
      let more = [
        LiveObjectToken(.observer, "staying"), LiveObjectToken(.task, "a"), LiveObjectToken(.task, "b"),
      ]
      let growth = liveObjects.count.subtracting(before)
      #expect(growth[.observer, "staying"] == 1)
      #expect(growth[.observer] == 1)
      #expect(growth.names(of: .task) == ["a", "b"])
      #expect("\(growth)" == "2 tasks: a, b · 1 observer: staying")
      #expect(before.subtracting(before).isEmpty)
      #expect("\(before.subtracting(before))" == "nothing")
      withExtendedLifetime((staying, more)) {}
    }
  }
}
