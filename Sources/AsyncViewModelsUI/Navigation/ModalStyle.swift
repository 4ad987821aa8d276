/// How a modal covers what is below it.
package enum ModalStyle: String, Hashable, Sendable, Codable { case sheet, cover, popover }
