// Apple documents `UIUpdateLink` for iOS, tvOS and visionOS, and not for Mac Catalyst.
#if canImport(UIKit) && !os(watchOS) && !targetEnvironment(macCatalyst)
  public import UIKit

  extension FramePacing {
    /// Returns a pacing with the frames of the display that shows a view.
    ///
    /// ```swift
    /// bindings.observe(model, on: self, pacing: .frames(of: view)) { controller, state in
    ///   controller.render(state)
    /// }
    /// ```
    ///
    /// | event | effect |
    /// | --- | --- |
    /// | the first change in 100 ms | Delivered at once. |
    /// | another change | Delivered within the next update of the display, after UIKit has handled its events, so that this update shows it. |
    /// | the view is in no visible window | A value waits until the view is shown again. |
    /// | the view has been released | Values do not wait. |
    ///
    /// Only observers on the main actor receive their values within the update:
    /// `observe(on:pacing:)`, ``StateMirror`` and ``ObservedViewModel``. The body of a stream's
    /// reader usually runs for the next update.
    ///
    /// - Ownership: The pacing does not keep the view alive. A view that has no other owner is kept
    ///   while a value waits.
    /// - Complexity: A `UIUpdateLink` requests updates only while a value waits. It is released
    ///   after the update.
    @MainActor
    public static func frames(of view: UIView) -> FramePacing {
      let updates = ViewUpdates(of: view)
      return FramePacing(longestFrame: .milliseconds(100)) { body in updates.callInNext(body) }
    }
  }

  /// The updates of the display that shows a view.
  @MainActor
  private final class ViewUpdates {
    private weak var view: UIView?
    private var link: UIUpdateLink?
    private var last = 0
    private var waiting: [Int: @MainActor () -> Void] = [:]

    init(of view: UIView) { self.view = view }

    /// Calls `body` in the next update. Returns `nil` if there are no updates.
    func callInNext(_ body: @escaping @MainActor () -> Void) -> CancellationToken? {
      guard let view else { return nil }
      last += 1
      let number = last
      waiting[number] = body
      requestUpdate(of: view)
      return CancellationToken { MainQueue.run { self.leave(number) } }
    }

    private func requestUpdate(of view: UIView) {
      guard link == nil else { return }
      let link = UIUpdateLink(view: view)
      link.addAction { [weak self] _, _ in self?.beginFrame() }
      link.requiresContinuousUpdates = true
      link.isEnabled = true
      self.link = link
    }

    private func beginFrame() {
      endRequest()
      let bodies = exchange(&waiting, with: [:]).sorted { $0.key < $1.key }
      for (_, body) in bodies { body() }
    }

    private func leave(_ number: Int) {
      let body = waiting.removeValue(forKey: number)
      if waiting.isEmpty { endRequest() }
      withExtendedLifetime(body) {}
    }

    private func endRequest() {
      link?.isEnabled = false
      link = nil
    }
  }
#endif
