#if canImport(Darwin)
  import AsyncViewModels
  import os

  extension NameTable {
    /// Signposts of this category are off, except while Instruments records them.
    private static let signposter = OSSignposter(subsystem: "AsyncViewModels", category: "DynamicTracing")

    func emitSignpost(_ event: RecordedEvent, _ object: UInt32, _ number: UInt64) {
      guard Self.signposter.isEnabled else { return }
      let entry = EventText(texts).entry(event, object, number, number: 0, time: .zero, thread: 0)
      Self.signposter.emitEvent("event", "\(entry.object, privacy: .public) \(entry.text, privacy: .public)")
    }
  }
#endif
