public import AsyncViewModels

/// Puts a screen through its whole life, to check that it binds as a screen should.
///
/// ```swift
/// let model = CartViewModel()
/// try await ScreenHarness.assertBindsOnLoad { CartScreen(model: model) }
/// ```
@MainActor
public enum ScreenHarness {
  /// Checks that a screen binds on load and not before, that its observers end with it, and that nothing keeps it alive.
  ///
  /// Tasks that `init` starts, and observers that are just leaving, get a fair chance to run before anything is counted.
  ///
  /// - Parameters:
  ///   - observerCount: how many observers the state has that the screen binds to.
  ///   - make: makes a new screen, and keeps none.
  /// - Throws: ``ScreenBindingError``, which names what the screen did.
  public static func assertBindsOnLoad<Subject: HostedScreen>(
    observerCount: @MainActor () -> Int, make: @MainActor () -> Subject
  ) async throws(ScreenBindingError) {
    let countBefore = observerCount()
    let subject = try await drive(make, countBefore, observerCount)
    await settle { observerCount() <= countBefore && !subject.isAlive }
    guard observerCount() <= countBefore else {
      throw .boundAfterEnd(observers: observerCount() - countBefore)
    }
    guard !subject.isAlive else { throw .outlivesItsHost(screen: "\(Subject.self)") }
  }

  /// Checks the same of the observers that the screen makes itself, of whatever state: in a debug build, the ``StorefrontDomain/LiveObjects`` counts them.
  ///
  /// - Parameter make: makes a new screen, and keeps none. The view model is made before, so that its own observers do not count.
  /// - Throws: ``ScreenBindingError``, which names what the screen did.
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

  private final class Witness {
    private weak var screen: (any HostedScreen)?
    var isAlive: Bool { screen != nil }
    init(_ screen: any HostedScreen) { self.screen = screen }
  }

  private static func drive(
    _ make: @MainActor () -> some HostedScreen, _ countBefore: Int, _ observerCount: @MainActor () -> Int
  ) async throws(ScreenBindingError) -> Witness {
    let host = ScreenHost(make())
    await settle { observerCount() > countBefore }
    guard observerCount() <= countBefore else {
      throw .boundInInit(observers: observerCount() - countBefore)
    }
    try step { () throws(ScreenHostError) in try host.show() }
    await settle { observerCount() > countBefore }
    guard observerCount() > countBefore else { throw .notBoundOnLoad }
    try step { () throws(ScreenHostError) in
      try host.hide()
      try host.end()
    }
    return Witness(host.screen)
  }

  private static func step(_ body: () throws(ScreenHostError) -> Void) throws(ScreenBindingError) {
    do { try body() } catch { throw .refused(error) }
  }

  private static let rounds = 200

  /// Steps aside for the tasks of the process until the condition holds, or they have had their chance.
  private static func settle(until condition: @MainActor () -> Bool) async {
    for _ in 0..<rounds where !condition() {
      await Task.yield()
      await Task.detached {}.value
    }
  }
}
