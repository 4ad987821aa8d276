import AsyncViewModels
import Testing

@Suite("AlertState", .timeLimit(.minutes(5)))
struct AlertStateTests {
  @Test("alerts are values that a test can compare")
  func equality() {
    let alert = AlertState(
      "Delete?", buttons: [.init("Delete", role: .destructive, action: 7), .init("Keep")])
    #expect(alert == AlertState("Delete?", message: nil, buttons: alert.buttons))
    #expect(alert.buttons.map(\.action) == [7, nil])
    #expect(alert.buttons.map(\.role) == [.destructive, nil])
  }

  #if os(macOS) || os(Linux)
    @Test("an alert has a button, and at most one cancel button")
    func preconditions() async {
      await #expect(processExitsWith: .failure) { _ = AlertState<Int>("Nothing", buttons: []) }
      await #expect(processExitsWith: .failure) {
        _ = AlertState<Int>("Two", buttons: [.init("A", role: .cancel), .init("B", role: .cancel)])
      }
    }
  #endif
}
