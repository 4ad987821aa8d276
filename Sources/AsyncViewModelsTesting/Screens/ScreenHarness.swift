public import AsyncViewModelsUI

/// Drives a screen through its whole life cycle to check when it binds and whether it is released.
///
/// ```swift
/// let model = CartViewModel()
/// try await ScreenHarness.assertBindsOnLoad { CartScreen(model: model) }
/// ```
@MainActor
public enum ScreenHarness {
  /// Checks that a screen binds only on load, that its observers end with it, and that it is
  /// released.
  ///
  /// The check yields to other tasks before it counts observers: `init` may have started a task
  /// that binds, and an observer may be about to end.
  ///
  /// - Parameters:
  ///   - observerCount: Returns the number of observers of the state that the screen binds to.
  ///   - make: Creates a new screen without keeping a reference to it.
  /// - Throws: ``ScreenBindingError``, which names the violation.
  public static func assertBindsOnLoad<Subject: HostedScreen>(
    observerCount: @MainActor () -> Int, make: @MainActor () -> Subject
  ) async throws(ScreenBindingError) {
    let countBefore = observerCount()
    let subject = try await drive(make, countBefore, observerCount)
    // A paused thread may still hold the screen or an observer, so a number of rounds is not
    // enough.
    await BoundedWait.wait { observerCount() <= countBefore && !subject.isAlive }
    guard observerCount() <= countBefore else {
      throw .boundAfterEnd(observers: observerCount() - countBefore)
    }
    guard !subject.isAlive else { throw .outlivesItsHost(screen: "\(Subject.self)") }
  }

  /// Checks the same as ``assertBindsOnLoad(observerCount:make:)``, but for all observers that the
  /// screen creates, whichever states they observe.
  ///
  /// Requires a debug build, in which ``/AsyncViewModels/LiveObjects`` counts the observers.
  ///
  /// - Parameter make: Creates a new screen without keeping a reference to it. Create the view
  ///   model before the call, so that the view model's own observers do not count.
  /// - Throws: ``ScreenBindingError``, which names the violation.
  public static func assertBindsOnLoad<Subject: HostedScreen>(
    make: @MainActor () -> Subject
  ) async throws(ScreenBindingError) {
    guard LiveObjects.areCounted else { throw .notCounted }
    let result = await LiveObjects.scoped { liveObjects -> Result<Void, ScreenBindingError> in
      do throws(ScreenBindingError) {
        return .success(
          try await assertBindsOnLoad(observerCount: { liveObjects.count[.observer] }, make: make))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private final class WeakScreen {
    private weak var screen: (any HostedScreen)?
    var isAlive: Bool { screen != nil }
    init(_ screen: any HostedScreen) { self.screen = screen }
  }

  private static func drive(
    _ make: @MainActor () -> some HostedScreen, _ countBefore: Int, _ observerCount: @MainActor () -> Int
  ) async throws(ScreenBindingError) -> WeakScreen {
    let host = ScreenHost(make())
    await wait { observerCount() > countBefore }
    guard observerCount() <= countBefore else {
      throw .boundInInit(observers: observerCount() - countBefore)
    }
    try step { () throws(ScreenHostError) in try host.show() }
    await wait { observerCount() > countBefore }
    guard observerCount() > countBefore else { throw .notBoundOnLoad }
    try step { () throws(ScreenHostError) in
      try host.hide()
      try host.end()
    }
    return WeakScreen(host.screen)
  }

  private static func step(_ body: () throws(ScreenHostError) -> Void) throws(ScreenBindingError) {
    do { try body() } catch { throw .refused(error) }
  }

  private static let rounds = 200
  private static let fewestRounds = 20
  private static let timeLimit = Duration.seconds(1)

  /// Yields to the tasks of the process until the condition holds. Gives up after `rounds` rounds,
  /// or when the time limit and `fewestRounds` rounds have passed.
  ///
  /// In each round, all tasks that are ready can run. A busy machine needs longer for a round, but
  /// not more rounds.
  private static func wait(until condition: @MainActor () -> Bool) async {
    let start = ContinuousClock.now
    for round in 0..<rounds where !condition() {
      if round >= fewestRounds, start.duration(to: .now) > timeLimit { return }
      await Task.yield()
      await Task.detached {}.value
    }
  }
}
