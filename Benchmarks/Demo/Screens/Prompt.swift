import AsyncViewModels

/// An alert or an offer, with its buttons as keys.
struct Prompt<Action: Hashable & Sendable>: Hashable {
  typealias Button = AlertState<Action>.Button

  let alert: AlertState<Action>
  /// Whether the user can ignore the buttons. An alert that is no offer takes all keys.
  let isOffer: Bool

  /// The button of a key: the first letter of its title, Enter for the first button, or Escape for
  /// the cancel button.
  func button(for key: Key) -> Button? {
    switch key {
    case .character(let character): alert.buttons.first { $0.key == character.lowercased() }
    case .enter: isOffer ? nil : alert.buttons.first
    case .escape: alert.buttons.first { $0.role == .cancel }
    default: nil
    }
  }

  /// The lines of the prompt.
  func lines(columns: Int) -> [TextLine] {
    let text = [alert.title, alert.message].compactMap(\.self).joined(separator: ": ")
    let lines = TextLine.wrapped(
      "\(isOffer ? "✓" : "✗") \(text)", width: columns, isOffer ? .good : .bad
    ).prefix(4)
    var buttons = TextLine()
    for button in alert.buttons {
      buttons.append(button.key.uppercased(), .accent)
      buttons.append(" \(button.title)   ")
    }
    return lines + [buttons.limited(to: columns)]
  }
}

extension AlertState.Button {
  fileprivate var key: String { title.prefix(1).lowercased() }
}
