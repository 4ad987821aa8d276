/// How a modal covers what is below it.
public enum ModalStyle: String, Hashable, Sendable, Codable {
  /// A sheet, which leaves a part of what is below it visible.
  case sheet
  /// A modal that covers the whole window. What is below it disappears.
  case cover
  /// A popover, which points to a place in what is below it. On tvOS, a sheet.
  case popover
}
