import AsyncViewModels

/// A `StateStore` whose sender and observers share one actor, as `Observations` requires.
final class ScreenState: Sendable {
  private let state = StateStore(0)

  @ScreenActor
  func send(_ values: ClosedRange<Int>) {
    for value in values { state.send(value) }
  }

  /// Passes each value to `see` until the current task is cancelled.
  @ScreenActor
  func observe(_ see: @Sendable (Int) -> Void) async {
    await state.values().forEach { see($0) }
  }
}
