import AsyncViewModels
import Synchronization

/// The names of types, fields and intents in this process. A name has the same number in all
/// recordings.
///
/// The names of the fields of a state follow the name of its type. An object number consists of the
/// number of a name and of a serial number. A state keeps its object number when a recording ends
/// and another one starts.
///
/// `Sendable`: no code of an app runs under the lock.
final class NameTable: EventNaming {
  static let shared = NameTable()
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
  private let fields = FieldTable()

  /// All names, in the order of their numbers.
  var texts: [String] { guarded.withLock { $0.texts } }

  /// Writes all names, and from now on each new name, to a recording.
  func write(to ring: RecordingRing?) {
    guarded.withLock { names in
      names.ring = ring
      for (number, text) in names.texts.enumerated() { ring?.writeName(text, number: number) }
    }
  }

  func makeObject(of type: Any.Type, value: Any?) -> UInt32 {
    let serial = lastSerial.wrappingAdd(1, ordering: .relaxed).newValue & (1 << Self.serialBits - 1)
    return UInt32(number(of: type, value: value)) << Self.serialBits | max(serial, 1)
  }

  /// Returns the object number of an intent with this name.
  func intent(_ text: StaticString) -> UInt32 { makeNumber(of: text) << Self.serialBits | 1 }

  func makeNumber(of text: StaticString) -> UInt32 {
    let address = text.hasPointerRepresentation ? unsafe UInt(bitPattern: text.utf8Start) : 0
    let key = Key.text(address)
    return UInt32(guarded.withLock { $0.numbers[key] } ?? add(["\(text)"], for: key))
  }

  func change(
    of object: UInt32, to version: UInt64, from old: UnsafeRawPointer?, to new: UnsafeRawPointer
  ) -> UInt64 {
    var change = StateChange(version: version)
    if let old = unsafe old {
      change.fields = unsafe fields.changed(Int(object >> Self.serialBits), from: old, to: new)
    }
    return change.word
  }

  private func number(of type: Any.Type, value: Any?) -> UInt16 {
    let key = Key.type(ObjectIdentifier(type))
    if let number = guarded.withLock({ $0.numbers[key] }) { return number }
    // Made without the lock, because a mirror can retain and release objects of the app.
    let layout = value.flatMap { Swift.type(of: $0) == type ? FieldLayout(of: $0) : nil }
    let name = readableName(of: type)
    guard let layout else { return add([name], for: key) }
    let number = add([name] + layout.names.map { RecordingLayout.fieldPrefix + $0 }, for: key)
    guard number != 0 else { return add([name], for: key) }
    fields.add(layout, of: Int(number))
    return number
  }

  /// Adds names, if the first one is not in the table. Returns its number, or 0, the number of
  /// `(other)`, if there are too many names.
  private func add(_ texts: [String], for key: Key) -> UInt16 {
    guarded.withLock { names in
      if let number = names.numbers[key] { return number }
      let first = names.texts.count
      guard first + texts.count <= RecordingLayout.nameLimit else { return 0 }
      names.numbers[key] = UInt16(first)
      names.texts += texts
      for (offset, text) in texts.enumerated() { names.ring?.writeName(text, number: first + offset) }
      return UInt16(first)
    }
  }
}

/// The name of a type with the types around it, such as `CartViewModel.State`, without its module
/// and without the numbers that private and local types have.
private func readableName(of type: Any.Type) -> String {
  let name = String(reflecting: type)
  let parts = name.split(separator: ".", omittingEmptySubsequences: false)
  // A tuple or an existential begins with something else.
  let hasModule = parts.count > 1 && parts[0].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  guard hasModule else { return name }
  return parts.dropFirst()
    .filter { !$0.hasPrefix("(unknown context at") }
    .map { $0.hasPrefix("(") ? $0.dropFirst().prefix { $0 != " " } : $0 }
    .joined(separator: ".")
}
