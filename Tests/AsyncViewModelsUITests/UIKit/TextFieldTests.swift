#if canImport(UIKit) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import Testing
  import UIKit

  extension UIKitTests {
    @MainActor
    @Suite("a text field that is bound in both directions", .timeLimit(.minutes(5)), .endsWaits)
    struct TextFieldTests {
      private let field = UITextField(frame: .zero)
      private let bindings = ScreenBindings()

      @Test("the field shows the text of the model at once and after each change")
      func fromModel() async throws {
        let model = Form("milk")
        bind(model)
        #expect(field.text == "milk")
        model.setText("bread")
        try await until { field.text == "bread" }
      }

      @Test("an edit reaches the model at once, and the field keeps what the user types")
      func fromField() async throws {
        let model = Form("")
        bind(model)
        for text in ["m", "mi", "mil", "milk"] {
          UIKitStandIn.type(text, in: field)
          #expect(model.state == text)
          await Task.yield()
          #expect(field.text == text)
        }
        for _ in 0..<10 { await Task.detached {}.value }
        #expect(field.text == "milk")
      }

      @Test("if the model does not take an edit as it is, the field shows the text of the model")
      func changedEdit() async throws {
        let model = Form("", limit: 3)
        bind(model)
        UIKitStandIn.type("milk", in: field)
        #expect(field.text == "mil")
        UIKitStandIn.type("milk!", in: field)
        #expect(field.text == "mil", "also if the model has not changed")
      }

      @Test("a text that is being composed stays, and is replaced after the composition")
      func composition() async throws {
        let model = Form("", limit: 3)
        bind(model)
        UIKitStandIn.type("にほんご", in: field, composing: true)
        #expect(field.text == "にほんご")
        UIKitStandIn.type("日本語!", in: field)
        #expect(field.text == "日本語")
      }

      @Test("a binding ends with its token and with its bindings, and keeps neither the field nor the model")
      func end() async throws {
        try await LeakTracker.check { tracker in
          let model = tracker.track(Form("milk"))
          let field = tracker.track(UITextField(frame: .zero))
          let bindings = tracker.track(ScreenBindings())
          let token = bindings.bind(field, to: model, { $0 }) { [weak model] in model?.setText($0) }
          #expect(bindings.count == 1)
          token.cancel()
          #expect(bindings.count == 0)
          UIKitStandIn.type("bread", in: field)
          #expect(model.state == "milk")
          model.setText("tea")
          for _ in 0..<10 { await Task.detached {}.value }
          #expect(field.text == "bread")
          bindings.bind(field, to: model, { $0 }) { [weak model] in model?.setText($0) }
          #expect(field.text == "tea")
        }
      }

      @Test("a binding that has ended leaves no action in the field, also if another thread ends it")
      func actions() async throws {
        let model = Form("milk")
        for _ in 1...3 { bindings.bind(field, to: model, { $0 }) { model.setText($0) }.cancel() }
        #expect(UIKitStandIn.actionCount(of: field) == 0)
        let token = bindings.bind(field, to: model, { $0 }) { model.setText($0) }
        #expect(UIKitStandIn.actionCount(of: field) == 1)
        await Task.detached { token.cancel() }.value
        try await until { UIKitStandIn.actionCount(of: field) == 0 }
        do {
          let bindings = ScreenBindings()
          bindings.bind(field, to: model, { $0 }) { model.setText($0) }
          #expect(UIKitStandIn.actionCount(of: field) == 1)
          withExtendedLifetime(bindings) {}
        }
        #expect(UIKitStandIn.actionCount(of: field) == 0)
      }

      private func bind(_ model: Form) { bindings.bind(field, to: model, { $0 }) { model.setText($0) } }
    }
  }

  private final class Form: StateSource {
    let store: StateStore<String>
    private let limit: Int

    init(_ text: String, limit: Int = .max) {
      store = StateStore(text)
      self.limit = limit
    }

    func setText(_ text: String) {
      let text = String(text.prefix(limit))
      if text != state { store.send(text) }
    }
  }
#endif
