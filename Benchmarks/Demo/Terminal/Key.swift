/// A key that the user pressed.
enum Key: Hashable {
  case character(Character)
  /// A letter that was pressed together with Control.
  case control(Character)
  case enter, tab, backTab, backspace, delete, escape
  case up, down, left, right, pageUp, pageDown, home, end
}

extension Key {
  private static let names: [String: Key] = [
    "enter": .enter, "tab": .tab, "shift-tab": .backTab, "backspace": .backspace, "delete": .delete,
    "escape": .escape, "up": .up, "down": .down, "left": .left, "right": .right, "page-up": .pageUp,
    "page-down": .pageDown, "home": .home, "end": .end, "space": .character(" "),
  ]

  /// The key with a name such as `enter`, `ctrl-s` or `7`, or `nil`.
  init?(named name: String) {
    if let key = Self.names[name] {
      self = key
    } else if name.count == 1, let character = name.first {
      self = .character(character)
    } else if name.hasPrefix("ctrl-"), name.count == 6, let letter = name.last, ("a"..."z").contains(letter) {
      self = .control(letter)
    } else {
      return nil
    }
  }
}
