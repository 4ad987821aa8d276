import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@Suite("ViewState", .timeLimit(.minutes(5)), .endsWaits)
struct ViewStateTests {
  private static let timedOut = DeadlineExceeded(duration: .seconds(1))
  private static let states: [ViewState<Int>] = [
    .idle, .loading, .loaded(1), .failed(timedOut), .empty,
  ]

  @Test(
    "only `.loaded` has a value, only `.failed` has an error, and `isLoading` is true only for `.loading`")
  func properties() {
    #expect(Self.states.map(\.value) == [nil, nil, 1, nil, nil])
    #expect(Self.states.map(\.isLoading) == [false, true, false, false, false])
    #expect(Self.states.map { $0.error as? DeadlineExceeded } == [nil, nil, nil, Self.timedOut, nil])
  }

  @Test("a mapped state has the same case and the transformed value")
  func mapped() {
    let mapped = Self.states.map { $0.map { "\($0)" } }
    #expect(mapped.map(\.value) == [nil, nil, "1", nil, nil])
    #expect(mapped.map(\.isLoading) == Self.states.map(\.isLoading))
    #expect(mapped.map { $0.error as? DeadlineExceeded } == Self.states.map { $0.error as? DeadlineExceeded })
    guard case .idle = mapped[0], case .empty = mapped[4] else { return #expect(Bool(false)) }
  }
}
