/// An alert or a sheet that a view presents.
class PresentationEffect: Effect {
  /// What the view asks to present: the data of an alert, or the identity of a sheet.
  var request: Any?
  /// What is shown.
  private(set) var shown: Any?
  /// A request that the user has ended. SwiftUI does not present it again before an update sees that it is
  /// gone.
  private(set) var ended: Any?

  var canPresent: Bool {
    guard let request else { return false }
    guard let ended else { return true }
    return !isSame(ended, request)
  }

  /// Whether what is shown must be dismissed.
  var isOutdated: Bool { request == nil }

  func forgetEndedRequest() { if request == nil || canPresent { ended = nil } }

  func present() {
    shown = request
    ended = nil
    node?.invalidate()
  }

  func endByUser() { ended = shown }

  /// The end of the dismissal.
  func dismissed() {
    shown = nil
    node?.invalidate()
  }

  func isSame(_ first: Any, _ second: Any) -> Bool {
    if first is any Equatable { return isEqual(first, second) }
    func id<I: Identifiable>(_ value: I) -> AnyHashable { value.id }
    guard let first = first as? any Identifiable, let second = second as? any Identifiable else {
      return true
    }
    return id(first) == id(second)
  }
}

/// A screen that can present one alert or sheet at a time: the root of a host, or a sheet.
@MainActor
final class Presenter {
  private(set) var current: PresentationEffect?
  private(set) var isDismissing = false
  private unowned let host: ViewHost

  init(_ host: ViewHost) { self.host = host }

  /// What the user sees.
  var visible: PresentationEffect? { isDismissing ? nil : current }

  /// Presents and dismisses after an evaluation.
  ///
  /// - Parameter effects: The alerts and sheets of all views on this screen.
  func update(_ effects: [PresentationEffect]) {
    for effect in effects { effect.forgetEndedRequest() }
    if let current {
      let isGone = !effects.contains { $0 === current }
      if !isDismissing && (isGone || current.isOutdated) { beginDismissal() }
    } else if let next = effects.first(where: { $0.canPresent }) {
      current = next
      next.present()
    }
  }

  func dismissByUser() {
    current?.endByUser()
    beginDismissal()
  }

  private func beginDismissal() {
    isDismissing = true
    host.scheduleEndOfDismissal(in: self)
  }

  func endDismissal() {
    guard isDismissing else { return }
    isDismissing = false
    let current = current
    self.current = nil
    current?.dismissed()
  }
}
