#if canImport(SwiftUI) && os(Linux)
  import AsyncViewModelsUI
  import AsyncViewModelsTesting
  import SwiftUI
  import Testing

  /// The parts for SwiftUI, with a stand-in that runs on Linux.
  @Suite("SwiftUI", .timeLimit(.minutes(5)), .endsWaits)
  enum SwiftUITests {}

  /// A view model with a text, alerts, and a load that a test ends.
  final class NoteModel: StateSource {
    struct State: Equatable, Sendable {
      var text = ""
      var loads = 0
    }

    enum Action: Hashable, Sendable { case retry, delete }

    let store = StateStore(State())
    let alerts = EventChannel<AlertState<Action>>()
    let performed = Notes()
    let gate = Gate()
    let name: String

    init(_ name: String = "note") { self.name = name }

    func setText(_ text: String) { store.update { $0.text = String(text.prefix(5)) } }

    func load() async {
      store.update { $0.loads += 1 }
      do { try await gate.waitUnlessCancelled() } catch { return performed.add("cancelled") }
      performed.add("loaded")
    }

    func perform(_ action: Action) async { performed.add("\(action)") }
  }

  /// Shows a view, waits until `body` has ended, and closes the host.
  @MainActor
  func withHost(_ view: some View, _ body: (ViewHost) async throws -> Void) async throws {
    let host = ViewHost(view)
    do {
      try await body(host)
      host.close()
    } catch {
      host.close()
      throw error
    }
  }

  extension ViewHost {
    /// Waits until the screen shows a text.
    func waitForText(_ text: String) async throws { try await until { isShowing(text) } }
  }
#endif
