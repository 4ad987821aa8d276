// ios: Exit tests are not available on this platform.
import Testing

@Test func exit() async { await #expect(processExitsWith: .failure) {} }
