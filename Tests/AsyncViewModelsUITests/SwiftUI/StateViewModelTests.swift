#if canImport(SwiftUI) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import SwiftUI
  import Testing

  extension SwiftUITests {
    @MainActor
    @Suite("view models that a view owns", .timeLimit(.minutes(5)), .endsWaits)
    struct StateViewModelTests {
      private struct Note: View {
        @StateViewModel private var note: ObservedViewModel<NoteModel>

        init(_ model: @autoclosure @escaping @MainActor () -> NoteModel) { _note = StateViewModel(model()) }

        var body: some View {
          Text("text: \(note.state.text)")
          TextField("Note", text: note.binding(\.text) { $0.setText($1) })
          Badge().environment(note)
        }
      }

      private struct Badge: View {
        @Environment(ObservedViewModel<NoteModel>.self) private var note

        var body: some View { Text("\(note.state.text.count) characters") }
      }

      private struct Parent: View {
        let made: Notes
        let title: String

        var body: some View {
          Text(title)
          Note(make())
        }

        private func make() -> NoteModel {
          made.add(title)
          return NoteModel()
        }
      }

      @Test("the view model is made once, however often the view is described")
      func madeOnce() async throws {
        let made = Notes()
        try await withHost(Parent(made: made, title: "first")) { host in
          host.type("tea", into: "Note")
          try await host.waitForText("text: tea")
          for title in ["second", "third"] {
            host.replaceRoot(with: Parent(made: made, title: title))
            try await host.waitForText(title)
          }
          #expect(host.isShowing("text: tea"))
          #expect(made.all == ["first"])
        }
      }

      @Test("a change of the state evaluates the view and the views below it")
      func change() async throws {
        let model = NoteModel()
        try await withHost(Note(model)) { host in
          model.setText("milk")
          try await host.waitForText("text: milk")
          try await host.waitForText("4 characters")
        }
      }

      private struct PacedNote: View {
        @StateViewModel private var note: ObservedViewModel<NoteModel>
        private let evaluations: Tally

        init(_ model: NoteModel, _ pacing: FramePacing, _ evaluations: Tally) {
          _note = StateViewModel(model, pacing: pacing)
          self.evaluations = evaluations
        }

        var body: some View {
          evaluations.increment()
          return Text("text: \(note.state.text)")
        }
      }

      @Test("with a pacing, several changes in one frame evaluate the view once")
      func pacing() async throws {
        let (clock, model, evaluations) = (VirtualClock(), NoteModel(), Tally())
        let view = PacedNote(model, .frames(perSecond: 60, clock: clock), evaluations)
        try await withHost(view) { host in
          try await host.waitForText("text: ")
          // Before that, the observation has asked for the next value in the first frame.
          try await until { model.store.waitingCount == 1 }
          let before = evaluations.count
          for text in ["m", "mi", "mil", "milk"] {
            model.setText(text)
            await clock.waitForSleepers(1)
          }
          #expect(evaluations.count == before)
          clock.advance(by: .milliseconds(17))
          try await host.waitForText("text: milk")
          #expect(evaluations.count == before + 1)
        }
      }

      @Test("a text field shows what the user types, and what the view model makes of it")
      func textField() async throws {
        let model = NoteModel()
        try await withHost(Note(model)) { host in
          host.type("tea with milk", into: "Note")
          #expect(model.state.text == "tea w")
          try await host.waitForText("text: tea w")
          #expect(host.isShowing("tea w"))
        }
      }

      @Test("an update on another thread does not stop the process, and the next read makes the view model")
      func updateElsewhere() async {
        await #expect(processExitsWith: .success) {
          let property = await MainActor.run { StateViewModel(NoteModel("tea")) }
          await Task.detached {
            var description = property
            description.update()
          }.value
          await MainActor.run { precondition(property.wrappedValue.model.name == "tea") }
        }
      }

      @Test("the view model is released with the view")
      func release() async throws {
        try await LeakTracker.check { tracker in
          try await withHost(Note(tracker.track(NoteModel()))) { host in
            try await host.waitForText("text: ")
            #expect(tracker.survivors.count == 1)
          }
        }
      }

      // MARK: Leases

      private struct LeasedNote: View {
        @StateViewModel private var note: ObservedViewModel<NoteModel>

        private let appeared: Escaped?

        init(_ name: String, _ store: ViewModelStore<String, NoteModel>, _ appeared: Escaped? = nil) {
          _note = StateViewModel(leasing: name, from: store)
          self.appeared = appeared
        }

        var body: some View {
          Text("\(note.model.name): \(note.state.text)")
            .onAppear { appeared?.value = { note.model.name } }
        }
      }

      /// A closure that a view has passed to other code.
      @MainActor
      private final class Escaped {
        var value: (@MainActor () -> String)?
      }

      private struct Selection: View {
        let name: String
        let store: ViewModelStore<String, NoteModel>
        var appeared: Escaped?

        var body: some View { LeasedNote(name, store, appeared) }
      }

      private func makeStore() -> ViewModelStore<String, NoteModel> {
        ViewModelStore(retention: .zero, isolation: MainActor.shared) { NoteModel($0) }
      }

      @Test("views of one identity share a view model, and each has one lease")
      func sharedLease() async throws {
        let store = makeStore()
        try await withHost(
          Group {
            LeasedNote("a", store)
            LeasedNote("a", store)
          }
        ) { host in
          #expect(store.counts == ViewModelCounts(inUse: 1, leases: 2))
          store.current("a")?.model.setText("tea")
          try await until { host.texts == ["a: tea", "a: tea"] }
          #expect(store.counts == ViewModelCounts(inUse: 1, leases: 2))
        }
        try await until { store.counts == ViewModelCounts() }
      }

      @Test("a view whose identity changes leases the view model of the new identity, and ends the old lease")
      func changedIdentity() async throws {
        let store = makeStore()
        try await withHost(Selection(name: "a", store: store)) { host in
          #expect(host.isShowing("a: "))
          host.replaceRoot(with: Selection(name: "b", store: store))
          try await host.waitForText("b: ")
          #expect(store.counts == ViewModelCounts(inUse: 1, leases: 1))
          store.current("b")?.model.setText("tea")
          try await host.waitForText("b: tea")
          let other = makeStore()
          host.replaceRoot(with: Selection(name: "b", store: other))
          try await host.waitForText("b: ")
          #expect(store.counts == ViewModelCounts())
          #expect(other.counts == ViewModelCounts(inUse: 1, leases: 1))
        }
      }

      @Test(
        "a closure of an old description keeps the view model of that description, and leases nothing again")
      func closureOfAnOldDescription() async throws {
        let (store, appeared) = (makeStore(), Escaped())
        try await withHost(Selection(name: "a", store: store, appeared: appeared)) { host in
          try await until { appeared.value != nil }
          let old = store.current("a")?.model
          host.replaceRoot(with: Selection(name: "b", store: store, appeared: appeared))
          try await host.waitForText("b: ")
          store.current("b")?.model.setText("draft")
          try await host.waitForText("b: draft")
          #expect(appeared.value?() == "a")
          #expect(store.current("a")?.model === old)
          appeared.value = nil
          try await until { store.counts == ViewModelCounts(inUse: 1, leases: 1) }
          #expect(host.isShowing("b: draft"))
        }
      }

      @Test("a store that is not on the main actor ends the process with a message that names the repair")
      func wrongStore() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          await MainActor.run {
            let store = ViewModelStore<String, NoteModel> { NoteModel($0) }
            _ = ViewHost(LeasedNote("a", store))
          }
        }
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("Pass `isolation: MainActor.shared`"))
      }
    }
  }
#endif
