import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels

/// The profile's form.
enum ProfileScreen: ScreenContent {
  static let title = "Profile"
  static let keys: KeyValuePairs = [
    "type": "edit", "↑↓": "field", "Enter": "save, or keep mine", "Esc": "take theirs",
  ]
  static let takesText = true

  static func itemCount(_ input: ScreenInput) -> Int {
    input.states.profile.draft == nil ? 0 : ProfileField.allCases.count
  }

  /// The content is the draft: a form that has one never disappears.
  static func state(_ input: ScreenInput) -> ViewState<Void> {
    input.states.profile.draft == nil ? input.states.profile.content.map { _ in } : .loaded(())
  }

  static func lines(_ input: ScreenInput, size: TerminalSize) -> [TextLine] {
    let state = input.states.profile
    guard let draft = state.draft else { return [] }
    var lines: [TextLine] = []
    for (index, field) in ProfileField.allCases.enumerated() {
      let isSelected = index == input.selection
      var line = TextLine()
      line.append((isSelected ? "▸ " : "  ") + field.rawValue, width: 9, .left, isSelected ? .bold : .dim)
      line.append(draft[field], isSelected ? .accent : .plain)
      if isSelected { line.append(" ", TextStyle.accent.reversed) }
      lines.append(line.limited(to: size.columns))
      let error =
        state.errors[field].map { ContentLines.failure($0, columns: size.columns - 9) } ?? [TextLine()]
      lines += error.map { error in
        var line = TextLine(String(repeating: " ", count: 9))
        line.append(error)
        return line
      }
    }
    lines.append(status(of: state))
    if let conflict = state.conflict {
      lines.append(TextLine())
      lines += TextLine.wrapped(
        "! Changed elsewhere to: \(conflict.name) <\(conflict.email)>", width: size.columns, .warning)
      lines.append(TextLine("  Enter keeps your text. Esc takes theirs.", .warning))
    }
    if let failure = state.saveFailure ?? state.refreshFailure {
      lines += [TextLine()] + ContentLines.failure(failure, columns: size.columns)
    }
    return lines
  }

  private static func status(of state: ProfileState) -> TextLine {
    if state.isSaving { return TextLine("◌ Saving…", .accent) }
    if state.isRefreshing { return TextLine("◌ Loading…", .accent) }
    let version = state.content.value.map { "version \($0.version)" } ?? ""
    return state.isDirty
      ? TextLine("! Not saved. Enter saves.", .warning) : TextLine("✓ Saved, \(version).", .good)
  }

  static func action(for key: Key, _ input: ScreenInput) -> ScreenAction? {
    let state = input.states.profile
    guard let draft = state.draft, ProfileField.allCases.indices.contains(input.selection) else { return nil }
    let field = ProfileField.allCases[input.selection]
    switch key {
    case .character(let character): return .edit(field, draft[field] + String(character))
    case .backspace: return draft[field].isEmpty ? nil : .edit(field, String(draft[field].dropLast()))
    case .enter: return state.conflict == nil ? .saveProfile : .resolve(.keepingMine)
    case .escape: return state.conflict == nil ? nil : .resolve(.keepingTheirs)
    default: return nil
    }
  }
}
