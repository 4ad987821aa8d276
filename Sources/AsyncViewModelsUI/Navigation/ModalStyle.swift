/// How a modal covers what is below it.
public enum ModalStyle: String, Hashable, Sendable, Codable { case sheet, cover, popover }
