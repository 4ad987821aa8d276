import AsyncViewModels
import Synchronization

/// The names of types and intents in this process. A name has the same number in all recordings.
///
/// An object number consists of the number of a name and of a serial number. A state keeps its
/// object number when a recording ends and another one starts.
///
/// `Sendable`: no code of an app runs under the lock.
final class RecordingNames: Sendable {
  static let shared = RecordingNames()
  /// The bits of an object number that are its serial number, which wraps around.
  static let serialBits: UInt32 = 20

  private enum Key: Hashable {
    case type(ObjectIdentifier)
    /// The address of a static string.
    case text(UInt)
  }

  private struct Guarded {
    var numbers: [Key: UInt16] = [:]
    var texts: [String] = ["(other)"]
    var ring: RecordingRing?
  }

  private let guarded = Mutex(Guarded())
  private let lastSerial = Atomic<UInt32>(0)

  /// Writes all names, and from now on each new name, to a recording.
  func write(to ring: RecordingRing?) {
    guarded.withLock { names in
      names.ring = ring
      for (number, text) in names.texts.enumerated() { ring?.writeName(text, number: number) }
    }
  }

  /// Calls `body` while no name is written.
  func withLock<Output: Sendable>(_ body: () -> Output) -> Output { guarded.withLock { _ in body() } }

  func makeObject(_ type: Any.Type) -> UInt32 {
    let serial = lastSerial.wrappingAdd(1, ordering: .relaxed).newValue & (1 << Self.serialBits - 1)
    return UInt32(number(of: type)) << Self.serialBits | max(serial, 1)
  }

  func number(of type: Any.Type) -> UInt16 {
    number(of: .type(ObjectIdentifier(type))) { "\(type)" }
  }

  func number(of text: StaticString) -> UInt16 {
    let address = text.hasPointerRepresentation ? unsafe UInt(bitPattern: text.utf8Start) : 0
    return number(of: .text(address)) { "\(text)" }
  }

  /// The number of a name: 0, the number of `(other)`, if there are too many names.
  private func number(of key: Key, _ text: () -> String) -> UInt16 {
    guarded.withLock { names in
      if let number = names.numbers[key] { return number }
      let number = names.texts.count
      guard number < RecordingLayout.nameLimit else { return 0 }
      names.numbers[key] = UInt16(number)
      names.texts.append(text())
      names.ring?.writeName(names.texts[number], number: number)
      return UInt16(number)
    }
  }
}
