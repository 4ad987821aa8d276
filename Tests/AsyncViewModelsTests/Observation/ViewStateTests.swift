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
}
