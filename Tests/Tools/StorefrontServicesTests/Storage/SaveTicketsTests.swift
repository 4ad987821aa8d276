import AsyncViewModelsTesting
import StorefrontDomain
import Testing

@testable import StorefrontServices

@Suite("Save tickets", .timeLimit(.minutes(5)), .endsWaits)
struct SaveTicketsTests {
  private let error = StorageError.inUse(file: "note.json")

  /// The turn as text, to compare it.
  private func turn(of ticket: Int, _ tickets: SaveTickets<String>) -> String {
    text(tickets.turn(of: ticket))
  }

  private func text(_ turn: SaveTickets<String>.Turn) -> String {
    switch turn {
    case .isStored: "stored"
    case .hasFailed: "failed"
    case .write(let value, let ticket): "write \(value ?? "nothing") as \(ticket)"
    }
  }

  @Test("the first turn writes the newest value, and the other turns share the result")
  func coalescing() {
    var tickets = SaveTickets<String>()
    #expect(["a", "b", "c"].map { tickets.add($0).ticket } == [1, 2, 3])
    #expect(turn(of: 1, tickets) == "write c as 3")
    tickets.end(3, with: .success(()))
    #expect((1...3).map { turn(of: $0, tickets) } == ["stored", "stored", "stored"])
    #expect(!tickets.isUnsaved)
  }

  @Test("a value that arrives during a write is written next")
  func nextWrite() {
    var tickets = SaveTickets<String>()
    _ = tickets.add("a")
    guard case .write(_, let ticket) = tickets.turn(of: 1) else {
      Issue.record("the first turn must write")
      return
    }
    #expect(tickets.add("b").replaced == "a")
    tickets.end(ticket, with: .success(()))
    #expect(tickets.isUnsaved)
    #expect(turn(of: 1, tickets) == "stored")
    #expect(turn(of: 2, tickets) == "write b as 2")
  }

  @Test("a failed write reports to the tickets that it stands for, and to no later ticket")
  func failure() {
    var tickets = SaveTickets<String>()
    _ = tickets.add("a")
    _ = tickets.add("b")
    tickets.end(2, with: .failure(error))
    _ = tickets.add("c")
    #expect((1...3).map { turn(of: $0, tickets) } == ["failed", "failed", "write c as 3"])
    tickets.end(3, with: .success(()))
    #expect((1...3).map { turn(of: $0, tickets) } == ["stored", "stored", "stored"])
  }

  @Test("a flush writes a failed value again, and a stored value never")
  func flush() {
    var tickets = SaveTickets<String>()
    #expect(text(tickets.flushTurn) == "stored")
    _ = tickets.add(nil)
    tickets.end(1, with: .failure(error))
    #expect(text(tickets.flushTurn) == "write nothing as 1")
    tickets.end(1, with: .success(()))
    #expect(text(tickets.flushTurn) == "stored")
  }

  @Test("the value of the file never replaces a newer value")
  func begin() {
    var tickets = SaveTickets<String>()
    tickets.begin(with: "file")
    #expect(tickets.newest == "file")
    #expect(!tickets.isUnsaved)
    _ = tickets.add("new")
    tickets.begin(with: "file")
    #expect(tickets.newest == "new")
  }
}
