#if canImport(SwiftUI) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import SwiftUI
  import Testing

  extension SwiftUITests {
    @MainActor
    @Suite("alerts of a view model", .timeLimit(.minutes(5)), .endsWaits)
    struct AlertsTests {
      private struct Note: View {
        let model: NoteModel
        var answer: (@MainActor (NoteModel.Action) -> Void)?

        var body: some View {
          Text(model.name)
            .alerts(of: model) {
              $0.alerts.stream()
            } perform: { model, action in
              answer?(action)
              await model.perform(action)
            }
        }
      }

      private func alert(_ title: String, message: String? = nil) -> AlertState<NoteModel.Action> {
        AlertState(
          title, message: message,
          buttons: [
            .init("Retry", action: .retry), .init("Delete", role: .destructive, action: .delete),
            .init("Cancel", role: .cancel),
          ])
      }

      private func shown(by host: ViewHost, _ title: String) async throws {
        try await until { host.alert?.title == title }
      }

      @Test(
        "an alert has the texts and the buttons of its value, and the action of the tapped button is performed"
      )
      func choice() async throws {
        for order in [ViewHost.AlertOrder.actionBeforeBinding, .bindingBeforeAction] {
          let model = NoteModel()
          try await withHost(Note(model: model)) { host in
            host.alertOrder = order
            model.alerts.send(alert("Offline", message: "Try again?"))
            try await shown(by: host, "Offline")
            #expect(host.alert?.message == "Try again?")
            #expect(host.alert?.buttons.map(\.title) == ["Retry", "Delete", "Cancel"])
            #expect(host.alert?.buttons.map(\.role) == [nil, .destructive, .cancel])
            host.tapAlert("Delete")
            try await until { model.performed.all == ["delete"] }
            try await until { host.alert == nil }
          }
        }
      }

      @Test("alerts are shown one after the other, whichever order the buttons have")
      func queue() async throws {
        for order in [ViewHost.AlertOrder.actionBeforeBinding, .bindingBeforeAction] {
          let model = NoteModel()
          try await withHost(Note(model: model)) { host in
            host.alertOrder = order
            for title in ["first", "second", "third"] { model.alerts.send(alert(title)) }
            for title in ["first", "second", "third"] {
              try await shown(by: host, title)
              #expect(host.alert?.message == nil)
              host.tapAlert("Retry")
            }
            try await until { model.performed.all == ["retry", "retry", "retry"] && host.alert == nil }
          }
        }
      }

      @Test("a button without an action closes the alert")
      func cancelButton() async throws {
        let model = NoteModel()
        try await withHost(Note(model: model)) { host in
          model.alerts.send(alert("first"))
          try await shown(by: host, "first")
          host.tapAlert("Cancel")
          try await until { host.alert == nil }
          model.alerts.send(alert("second"))
          try await shown(by: host, "second")
        }
        #expect(model.performed.all == [])
      }

      @Test("the action is performed by the closure of the latest description")
      func latestClosure() async throws {
        let (model, answers) = (NoteModel(), Notes())
        try await withHost(Note(model: model) { _ in answers.add("old") }) { host in
          host.replaceRoot(with: Note(model: model) { _ in answers.add("new") })
          await host.settle()
          model.alerts.send(alert("first"))
          try await shown(by: host, "first")
          host.tapAlert("Retry")
          try await until { answers.all == ["new"] }
        }
      }

      @Test("another view model shows its own alerts, and the old one no more")
      func otherModel() async throws {
        let (old, new) = (NoteModel(), NoteModel())
        try await withHost(Note(model: old)) { host in
          host.replaceRoot(with: Note(model: new))
          try await until { old.alerts.observerCount == 0 }
          old.alerts.send(alert("old"))
          new.alerts.send(alert("new"))
          try await shown(by: host, "new")
        }
        try await until { new.alerts.observerCount == 0 }
      }

      @Test(
        "an alert that was kept before the view appeared is shown, and one that arrives while it is covered, too"
      )
      func kept() async throws {
        let model = NoteModel()
        model.alerts.keepForFirstObserver(alert("kept"))
        try await withHost(Note(model: model)) { host in
          try await shown(by: host, "kept")
          host.tapAlert("Cancel")
          try await until { host.alert == nil }
          host.disappear()
          model.alerts.send(alert("covered"))
          host.appear()
          try await shown(by: host, "covered")
        }
      }

      @Test(
        "whatever the order and the time between the action and the closing, each alert is shown, and each tap performed once",
        arguments: [ViewHost.AlertOrder.actionBeforeBinding, .bindingBeforeAction], [0, 1, 2, 5, 20])
      func slowTaps(order: ViewHost.AlertOrder, turns: Int) async throws {
        for frame in [0, 5] {
          let model = NoteModel()
          try await withHost(Note(model: model)) { host in
            (host.alertOrder, host.turnsOfUpdate, host.turnsOfDismissal) = (order, frame, 2 * frame)
            for title in ["same", "same", "other"] { model.alerts.send(alert(title)) }
            for title in ["same", "same", "other"] {
              try await shown(by: host, title)
              await host.tapAlert("Delete", turnsBetween: turns)
            }
            try await until { model.performed.all == ["delete", "delete", "delete"] && host.alert == nil }
          }
        }
      }

      @Test("an action that removes the view runs to its end")
      func actionThatRemovesTheView() async throws {
        let (model, gate, ended) = (NoteModel(), Gate(), Tally())
        let host = ViewHost(
          Text("note").alerts(of: model) {
            $0.alerts.stream()
          } perform: { _, _ in
            do { try await gate.waitUnlessCancelled() } catch { return }
            ended.increment()
          })
        model.alerts.send(alert("first"))
        try await shown(by: host, "first")
        host.tapAlert("Delete")
        await gate.waitForArrivals(1)
        host.close()
        gate.open()
        try await until { ended.count == 1 }
      }

      @Test("a view that never appears takes no alert away from its channel")
      func neverAppears() async throws {
        let model = NoteModel()
        model.alerts.keepForFirstObserver(alert("kept"))
        let host = ViewHost(Note(model: model), appears: false)
        await host.settle()
        #expect(model.alerts.observerCount == 0)
        host.close()
        #expect(model.alerts.keptCount == 1)
      }
    }
  }
#endif
