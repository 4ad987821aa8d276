#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// An invisible view that tells when the view that contains it enters or leaves a window, or is
  /// released.
  ///
  /// UIKit tells the delegate of a presentation only about gestures, and an object that is no
  /// controller not at all about the appearance of one.
  final class WindowMark: UIView {
    private let onMove: @MainActor @Sendable () -> Void

    init(in view: UIView, onMove: @escaping @MainActor @Sendable () -> Void) {
      self.onMove = onMove
      super.init(frame: .zero)
      isHidden = true
      view.insertSubview(self, at: 0)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { fatalError("WindowMark is not archived") }

    // In a task, because the controllers are still connected when the view leaves the window.
    override func didMoveToWindow() {
      super.didMoveToWindow()
      Task { [onMove] in onMove() }
    }

    // audit:ignore task-in-deinit It keeps only the closure.
    deinit { Task { @MainActor [onMove] in onMove() } }
  }
#endif
