import AsyncViewModels
import AsyncViewModelsTesting
import Testing

/// A few seconds of traffic. A run with the leak sanitizer repeats this suite.
@Suite("Sender soak", .timeLimit(.minutes(5)), .endsWaits)
struct SendersSoakTests {
  private struct Note: Sendable {
    let sender: Int
    let number: Int
  }

  private static let numbers = 1...20_000

  @Test("10 observers of 10 senders see each sender's notes in order and the last note of all")
  func tenByTen() async throws {
    let state = StateStore(Note(sender: 0, number: 0))
    let readers = (0..<10).map { number in
      let observer = state.values(number.isMultiple(of: 2) ? .latest : .bounded(8))
      return Task {
        var seen = Array(repeating: 0, count: 10)
        var last: Note?
        for await note in observer {
          if note.number < seen[note.sender] {
            Issue.record("\(note) came after number \(seen[note.sender])")
          }
          seen[note.sender] = note.number
          last = note
        }
        return last
      }
    }
    await withTaskGroup { group in
      for sender in 0..<10 {
        group.addTask {
          for number in Self.numbers {
            state.send(Note(sender: sender, number: number))
            if number.isMultiple(of: 32) { await Task.yield() }
          }
        }
      }
    }
    let last = state.value
    #expect(last.number == Self.numbers.upperBound)
    state.finish()
    for reader in readers {
      let seen = try #require(await reader.value)
      #expect(seen.sender == last.sender)
      #expect(seen.number == last.number)
    }
    #expect(state.observerCount == 0)
  }
}
