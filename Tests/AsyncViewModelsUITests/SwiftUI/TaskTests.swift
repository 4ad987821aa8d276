#if canImport(SwiftUI) && os(Linux)
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import SwiftUI
  import Testing

  extension SwiftUITests {
    @MainActor
    @Suite("tasks of a view", .timeLimit(.minutes(5)), .endsWaits)
    struct TaskTests {
      private struct Note: View {
        let note: ObservedViewModel<NoteModel>

        var body: some View {
          List { Text("loads: \(note.state.loads)") }
            .initialTask(of: note) { await $0.load() }
            .refreshable(note) { await $0.load() }
        }
      }

      /// A view with SwiftUI's own modifier, which shows the trap.
      private struct PlainNote: View {
        let note: ObservedViewModel<NoteModel>

        var body: some View {
          List { Text("loads: \(note.state.loads)") }
            .refreshable { await note.model.load() }
        }
      }

      @Test("the first load runs once, and continues while another screen covers the view")
      func firstLoad() async throws {
        let model = NoteModel()
        try await withHost(Note(note: ObservedViewModel(model))) { host in
          await model.gate.waitForArrivals(1)
          host.disappear()
          host.appear()
          host.disappear()
          model.gate.open()
          try await until { model.performed.all == ["loaded"] }
          host.appear()
          await host.settle()
          #expect(model.state.loads == 1)
        }
      }

      @Test("another view model is loaded, too")
      func otherModel() async throws {
        let (first, second) = (NoteModel(), NoteModel())
        first.gate.open()
        second.gate.open()
        try await withHost(Note(note: ObservedViewModel(first))) { host in
          try await until { first.performed.all == ["loaded"] }
          host.replaceRoot(with: Note(note: ObservedViewModel(second)))
          try await until { second.performed.all == ["loaded"] }
          #expect(first.state.loads == 1)
        }
      }

      @Test("a load is cancelled when the view is removed")
      func removal() async throws {
        let model = NoteModel()
        try await withHost(Note(note: ObservedViewModel(model))) { _ in
          await model.gate.waitForArrivals(1)
        }
        try await until { model.performed.all == ["cancelled"] }
      }

      @Test(
        "a refresh is not cancelled when its first state evaluates the view, as it is with SwiftUI's modifier"
      )
      func refresh() async throws {
        let model = NoteModel()
        try await withHost(PlainNote(note: ObservedViewModel(model))) { host in
          let refresh = Task { await host.refresh() }
          await refresh.value
          #expect(model.performed.all == ["cancelled"])
        }
        model.gate.open()
        model.store.update { $0.loads = 0 }
        let repaired = NoteModel()
        try await withHost(Note(note: ObservedViewModel(repaired))) { host in
          await repaired.gate.waitForArrivals(1)
          repaired.gate.release(1)
          let refresh = Task { await host.refresh() }
          await repaired.gate.waitForArrivals(2)
          try await host.waitForText("loads: 2")
          repaired.gate.open()
          await refresh.value
          #expect(repaired.performed.all == ["loaded", "loaded"])
        }
      }

      /// A view whose closures capture it, because they change its state.
      private struct CapturingNote: View {
        let note: ObservedViewModel<NoteModel>
        @State private var message = "waiting"

        var body: some View {
          List { Text(message) }
            .initialTask(of: note) {
              await $0.load()
              message = "loaded"
            }
            .refreshable(note) {
              await $0.load()
              message = "refreshed"
            }
        }
      }

      @Test("tasks whose closures capture the view end with the view")
      func capturedView() async throws {
        let model = NoteModel()
        try await LeakTracker.check { tracker in
          let host = ViewHost(CapturingNote(note: tracker.track(ObservedViewModel(model))))
          await model.gate.waitForArrivals(1)
          let refresh = Task { await host.refresh() }
          await model.gate.waitForArrivals(2)
          host.close()
          await refresh.value
        }
        try await until { model.performed.all == ["cancelled", "cancelled"] }
      }

      @Test(
        "the load of an old view model is cancelled when the view gets another one, even while it is covered")
      func replacedWhileCovered() async throws {
        let (first, second) = (NoteModel(), NoteModel())
        try await withHost(Note(note: ObservedViewModel(first))) { host in
          await first.gate.waitForArrivals(1)
          host.disappear()
          host.replaceRoot(with: Note(note: ObservedViewModel(second)))
          try await until { first.performed.all == ["cancelled"] }
          #expect(second.state.loads == 0)
          host.appear()
          await second.gate.waitForArrivals(1)
        }
      }
    }
  }
#endif
