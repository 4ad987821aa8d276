import Audit
import Testing

@testable import Migration

@Suite("groups become completion groups", .timeLimit(.minutes(5)))
struct CompletionGroupStepTests {
  private func home(_ body: String) -> String {
    """
    import Dispatch

    final class HomeViewModel {
      func load() {
        let group = DispatchGroup()
    \(body)
      }
    }
    """
  }

  @Test("each completion handler of a group leaves by its entry")
  func group() throws {
    let result = runTwice(
      CompletionGroupStep(),
      home(
        """
            group.enter()
            banners.fetch { result in
              self.queue.async {
                if let result { self.banner = result } else { return group.leave() }
                group.leave()
              }
            }
            group.enter()  // also the orders
            orders.fetch(limit: 1, completion: { _ in group.leave() })
            for id in ids {
              group.enter()
              load(id) { defer { group.leave() } }
            }
            group.notify(queue: .main) { [weak self] in self?.show() }
            group.notify(queue: queue, execute: show)
        """.replacingOccurrences(of: "execute: show", with: "execute: { show() }")))
    #expect(result.refusals.isEmpty)
    #expect(
      result.text == """
        import AsyncViewModelsGCD
        import Dispatch

        final class HomeViewModel {
          func load() {
            let group = CompletionGroup()
            let fetchEntry = group.enter()
            banners.fetch { result in
              self.queue.async {
                if let result { self.banner = result } else { return fetchEntry.leave() }
                fetchEntry.leave()
              }
            }
            let fetchEntry2 = group.enter()  // also the orders
            orders.fetch(limit: 1, completion: { _ in fetchEntry2.leave() })
            for id in ids {
              let loadEntry = group.enter()
              load(id) { defer { loadEntry.leave() } }
            }
            group.notify(on: .main) { [weak self] in self?.show() }
            group.notify(on: queue, { show() })
          }
        }
        """)
  }

  @Test(
    "a group whose leaves belong to no enter, or that blocks, is refused",
    arguments: [
      ("group.enter()\nload { group.leave() }\ngroup.wait()", "wait() blocks a thread; use notify"),
      ("group.enter()\nload(group)", "it is passed to other code"),
      ("group.enter()\nload { }", "no single statement after this enter() leaves the group"),
      (
        "load { group.leave() }\ngroup.enter()\nload { group.leave() }",
        "no enter() of the same block belongs to this leave()"
      ),
      ("group.enter()\ngroup.leave()", "the group is left outside of a completion handler"),
      (
        "group.enter()\na { group.leave() }\nb { group.leave() }",
        "no single statement after this enter() leaves the group"
      ),
      ("group.notify(queue: .main) {}", "no code enters it"),
      (
        "group.enter()\na { group.leave() }\ngroup.notify(qos: .utility, queue: q) {}",
        "its notify has a quality of service, flags or a work item"
      ),
    ])
  func refusedGroup(body: String, reason: String) throws {
    let result = runTwice(CompletionGroupStep(), home(body))
    #expect(result.refusals == [reason])
    #expect(result.text == home(body))
  }

  @Test("a group in a type that is no view model stays, which is said in one line")
  func otherType() {
    let text = """
      final class Loader {
        func load() {
          let group = DispatchGroup()
          group.notify(queue: .main) {}
        }
      }
      func prefetch() { _ = DispatchGroup() }
      """
    for (step, text) in [
      (CompletionGroupStep() as any Step, text),
      (TaskGroupStep(), text.replacing("DispatchGroup", with: "CompletionGroup")),
    ] {
      let name = text.contains("DispatchGroup") ? "DispatchGroup" : "CompletionGroup"
      let migration = Migration(step, [SourceFile(path: "a.swift", text: text)])
      #expect(!migration.isIncomplete && migration.diff == "")
      #expect(
        migration.report(isWritten: false).split(separator: "\n").dropLast().joined(separator: "\n")
          == """
          stays: a `\(name)` outside of view models: `Loader` (a.swift:3), (a.swift:7); --only NAME
            changes a class of another name
          """)
      let named = Migration(step, [SourceFile(path: "a.swift", text: text)], only: ["Loader"])
      #expect(!named.report(isWritten: false).contains("stays:"))
    }
    let model = SourceFile(path: "a.swift", text: home("group.notify(queue: .main) {}"))
    #expect(!Migration(CompletionGroupStep(), [model]).report(isWritten: false).contains("stays:"))
  }

  @Test("a group that several functions share is refused")
  func storedGroup() throws {
    let result = runTwice(
      CompletionGroupStep(), "class HomeViewModel { private let group = DispatchGroup() }")
    #expect(
      result.refusals == [
        "several functions share it, so it is unknown which call of leave() belongs to which call of enter()"
      ])
  }
}
