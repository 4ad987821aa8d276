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
    /// A value that waits is delivered when UIKit has handled the events of the next update of the display, at the rate of
    /// that display, also if the rate changes. The first change in 100 ms does not wait. While the view is in no visible
    /// window, there are no updates: a value that waits is then delivered when the view is shown again. If the view has been
    /// released, values do not wait.
    ///
    /// A `UIUpdateLink` requests updates only while a value waits. It is released after the update.
    ///
    /// - Ownership: The pacing does not keep the view alive. A view that has no other owner is kept while a value waits.
    @MainActor
    public static func frames(of view: UIView) -> FramePacing {
      let updates = ViewUpdates(of: view)
      return FramePacing(longestFrame: .milliseconds(100)) { await updates.next() }
    }
  }

  /// The updates of the display that shows a view.
  @MainActor
  private final class ViewUpdates {
    private weak var view: UIView?
    private var link: UIUpdateLink?
    private var last = 0
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

    init(of view: UIView) { self.view = view }

    /// Returns in the next update, or when the task is cancelled.
    func next() async {
      guard let view else { return }
      last += 1
      let number = last
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          // A cancellation before this point has already created its task, which runs after this turn.
          waiting[number] = continuation
          requestUpdate(of: view)
        }
      } onCancel: {
        Task { @MainActor in self.leave(number) }
      }
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
      let continuations = exchange(&waiting, with: [:])
      for continuation in continuations.values { continuation.resume() }
    }

    private func leave(_ number: Int) {
      waiting.removeValue(forKey: number)?.resume()
      if waiting.isEmpty { endRequest() }
    }

    private func endRequest() {
      link?.isEnabled = false
      link = nil
    }
  }
#endif
