/// An alert that the user sees.
public struct ShownAlert: Equatable, Sendable {
  public let title: String
  public let message: String?
  /// The buttons in the order of their declaration. SwiftUI moves the button with the role `cancel`.
  public let buttons: [ShownButton]

  public init(title: String, message: String?, buttons: [ShownButton]) {
    self.title = title
    self.message = message
    self.buttons = buttons
  }
}

extension ViewHost {
  /// The alert in front of everything.
  public var alert: ShownAlert? {
    alertEffect.map { alert in
      let message = alert.part("message")?.visibleTexts ?? []
      return ShownAlert(
        title: alert.title, message: message.isEmpty ? nil : message.joined(separator: "\n"),
        buttons: alertButtons(alert).map { $0.shown })
    }
  }

  /// Taps a button of the alert. The dismissal ends in ``advance()``, or in the next turn of the main actor.
  public func tapAlert(_ title: String) {
    let tap = beginTap(title)
    tap.first()
    tap.second()
    tap.presenter?.dismissByUser()
  }

  /// Taps a button of the alert like ``tapAlert(_:)``, with turns of the main actor between the two steps of ``alertOrder``.
  public func tapAlert(_ title: String, turnsBetween turns: Int) async {
    let tap = beginTap(title)
    tap.first()
    tap.presenter?.dismissByUser()
    for _ in 0..<turns { await Task.yield() }
    tap.second()
  }

  private func beginTap(
    _ title: String
  ) -> (first: @MainActor () -> Void, second: @MainActor () -> Void, presenter: Presenter?) {
    guard let alert = alertEffect else { fatalError("There is no alert with a button \"\(title)\".") }
    let buttons = alertButtons(alert)
    guard let button = buttons.first(where: { $0.shown.title == title }) else {
      fatalError("The alert has no button \"\(title)\". It has \(buttons.map { $0.shown.title }).")
    }
    guard button.shown.isEnabled else { fatalError("\"\(title)\" is disabled.") }
    let presenter = presenters.last
    return switch alertOrder {
    case .actionBeforeBinding: (button.action, alert.setNotPresented, presenter)
    case .bindingBeforeAction: (alert.setNotPresented, button.action, presenter)
    }
  }

  /// The texts of the sheet in front, or `nil` if there is none.
  public var sheetTexts: [String]? { frontSheet?.root?.visibleTexts }

  /// Swipes the sheet in front down: clears its binding. `onDismiss` runs at the end of the dismissal, in
  /// ``advance()`` or in the next turn of the main actor.
  public func dismissSheet() {
    guard alertEffect == nil, let sheet = frontSheet else { fatalError("There is no sheet in front.") }
    let presenter = presenters.last { $0.visible === sheet }
    sheet.clear()
    presenter?.dismissByUser()
  }

  var frontSheet: SheetEffect? { presenters.compactMap { $0.visible as? SheetEffect }.last }

  private var alertEffect: AlertEffect? { presenters.last?.visible as? AlertEffect }

  /// The presenters of the screen and of the sheets on it, the one in front last.
  private var presenters: [Presenter] {
    var presenters = [rootPresenter]
    while let sheet = presenters.last?.visible as? SheetEffect, let next = sheet.presenter {
      presenters.append(next)
    }
    return presenters
  }

  /// The buttons of an alert. Without any, SwiftUI adds a button "OK".
  private func alertButtons(_ alert: AlertEffect) -> [(shown: ShownButton, action: @MainActor () -> Void)] {
    let buttons = alert.part("actions")?.buttons ?? []
    return buttons.isEmpty ? [(ShownButton("OK"), { @MainActor in })] : buttons
  }
}
