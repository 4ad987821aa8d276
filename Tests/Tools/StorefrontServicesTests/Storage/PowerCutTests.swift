import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import Testing

/// A kill does not lose what the system has not flushed yet. These tests lose it.
@Suite("File store: power cuts", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct PowerCutTests {
  private let url = URL(fileURLWithPath: "/folder/note.json")

  @Test("after a power cut at any point, the file has the complete last value or the next one")
  func everyPoint() async throws {
    try await LeakTracker.check { tracker in
      let disk = tracker.track(SimulatedDisk())
      let store = tracker.track(try FileStore<String>(at: url, fileSystem: disk))
      var points: [(state: SimulatedDisk.State, saved: Int)] = []
      for number in 1...3 {
        let seen = disk.states.count
        try await store.save(text(number))
        points += disk.states.dropFirst(seen).map { ($0, number - 1) }
        let last = try #require(disk.states.last)
        points.append((last, number))
      }
      try await store.close()
      #expect(points.count > 30)
      for (index, point) in points.enumerated() {
        for survivor in point.state.survivors {
          let next = tracker.track(try FileStore<String>(at: url, fileSystem: survivor))
          let stored = try await next.load()
          #expect(stored.damagedFile == nil, "point \(index)")
          let allowed = [point.saved, point.saved + 1].map { $0 == 0 ? nil : text($0) }
          #expect(allowed.contains(stored.value), "point \(index), after \(point.saved) saves")
          try await next.close()
          #expect(try survivor.names(in: "/folder").allSatisfy { $0 == "note.json" })
        }
      }
    }
  }

  private func text(_ number: Int) -> String { String(repeating: "\(number) ", count: number * 10) }

  @Test("a power cut while a damaged file is set aside loses nothing")
  func setAside() async throws {
    try await LeakTracker.check { tracker in
      var state = SimulatedDisk.State()
      state.files[1] = SimulatedDisk.File(written: [1, 2, 3], synced: [1, 2, 3])
      (state.names, state.lastID) = (["note.json": 1], 1)
      let disk = tracker.track(SimulatedDisk(state))
      let store = tracker.track(try FileStore<String>(at: url, fileSystem: disk))
      #expect(try await store.load().damagedFile != nil)
      try await store.close()
      for survivor in disk.states.flatMap(\.survivors) {
        let copies = try survivor.names(in: "").map { try survivor.contents(of: $0) }
        #expect(copies.contains([1, 2, 3]))
      }
    }
  }
}
