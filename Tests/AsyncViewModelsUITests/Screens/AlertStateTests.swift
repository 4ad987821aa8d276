import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing

@Suite("AlertState", .timeLimit(.minutes(5)), .endsWaits)
struct AlertStateTests {
  @Test("alerts are values that a test can compare")
  func equality() {
    let alert = AlertState(
      "Delete?", buttons: [.init("Delete", role: .destructive, action: 7), .init("Keep")])
    #expect(alert == AlertState("Delete?", message: nil, buttons: alert.buttons))
    #expect(alert.buttons.map(\.action) == [7, nil])
    #expect(alert.buttons.map(\.role) == [.destructive, nil])
  }

  @Test("an alert without buttons gets a button that closes it")
  func noButtons() {
    let alert = AlertState<Int>("Nothing", buttons: [])
    #expect(alert.buttons == [.init("OK", role: .cancel)])
  }

  @Test("of several cancel buttons, the first one keeps its role, and the others become normal buttons")
  func cancelButtons() {
    let alert = AlertState(
      "Two", buttons: [.init("A", role: .cancel, action: 1), .init("B", role: .cancel, action: 2)])
    #expect(alert.buttons == [.init("A", role: .cancel, action: 1), .init("B", action: 2)])
  }
}
