public import Foundation

/// An object whose size can change in a transition.
@MainActor
public protocol UIContentContainer: NSObjectProtocol {
  func size(
    forChildContentContainer container: any UIContentContainer, withParentContainerSize parentSize: CGSize
  ) -> CGSize
  func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator)
}
