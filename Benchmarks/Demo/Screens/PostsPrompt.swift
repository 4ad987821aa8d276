import AsyncViewModels
import StorefrontViewModels

/// An alert or an offer of the posts, with its buttons as keys.
struct PostsPrompt: Hashable {
  typealias Button = AlertState<PostsAction>.Button

  let alert: AlertState<PostsAction>
  /// Whether the user can ignore the buttons. An alert that is no offer takes all keys of its
  /// screen.
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

extension PostsPrompt.Button {
  fileprivate var key: String { title.prefix(1).lowercased() }
}
