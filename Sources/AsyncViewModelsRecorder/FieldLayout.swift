import AsyncViewModels
import Foundation
import Synchronization

/// The names and the places of the stored properties of a structure.
final class FieldLayout: Sendable {
  let names: [String]
  /// For each name, the bytes of the property, without the padding between the properties of
  /// structures.
  private let places: [[Range<Int>]]

  /// Returns `nil` if the value is not a structure, or if its fields cannot be found.
  init?(of value: Any) {
    guard let fields = Self.fields(of: value) else { return nil }
    let own = fields.prefix(StateChange.fieldBits - 1), others = fields.dropFirst(own.count)
    var names = own.map { Self.readableName($0.name) }, places = own.map(\.places)
    if !others.isEmpty {
      names.append("other fields")
      places.append(others.flatMap(\.places))
    }
    (self.names, self.places) = (names, places)
  }

  /// A bit for each field whose bytes differ.
  func changed(from old: UnsafeRawPointer, to new: UnsafeRawPointer) -> UInt32 {
    var bits: UInt32 = 0
    for (index, places) in places.enumerated() {
      let differs = places.contains { unsafe memcmp(old + $0.lowerBound, new + $0.lowerBound, $0.count) != 0 }
      if differs { bits |= 1 << index }
    }
    return bits
  }

  /// Swift stores the fields of a structure in their order. If that does not give the size of the
  /// structure, a mirror shows something else.
  private static func fields(of value: Any) -> [(name: String, places: [Range<Int>])]? {
    guard !(value is any CustomReflectable) else { return nil }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .struct, !mirror.children.isEmpty else { return nil }
    var fields: [(name: String, places: [Range<Int>])] = [], end = 0
    for field in mirror.children {
      let (size, alignment) = memoryLayout(of: field.value)
      let start = (end + alignment - 1) / alignment * alignment
      end = start + size
      let parts = Self.fields(of: field.value)?.flatMap(\.places) ?? [0..<size]
      fields.append((field.label ?? "?", parts.map { start + $0.lowerBound..<start + $0.upperBound }))
    }
    return end == memoryLayout(of: value).size ? fields : nil
  }

  /// The name in the source, without what a property wrapper or `lazy` adds.
  private static func readableName(_ name: String) -> String {
    for prefix in ["$__lazy_storage_$_", "_"] where name.hasPrefix(prefix) {
      return String(name.dropFirst(prefix.count))
    }
    return name
  }

  private static func memoryLayout(of value: Any) -> (size: Int, alignment: Int) {
    func layout<Value>(_: Value) -> (size: Int, alignment: Int) {
      (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
    }
    return _openExistential(value, do: layout)
  }
}

/// The layouts of the types with a number. A layout is never released or replaced, so reading takes
/// no lock.
///
/// `@unchecked Sendable`: the slots are atomic.
@safe
final class FieldTable: @unchecked Sendable {
  private typealias Slot = Atomic<Unmanaged<FieldLayout>?>

  private let slots: UnsafeMutablePointer<Slot>

  init() {
    unsafe slots = .allocate(capacity: RecordingLayout.nameLimit)
    for number in 0..<RecordingLayout.nameLimit { unsafe (slots + number).initialize(to: Slot(nil)) }
  }

  /// A bit for each field of a type whose bytes differ, or `nil` if the type has no layout.
  func changed(_ type: Int, from old: UnsafeRawPointer, to new: UnsafeRawPointer) -> UInt32? {
    guard let layout = unsafe slots[type].load(ordering: .acquiring) else { return nil }
    return unsafe layout._withUnsafeGuaranteedRef { unsafe $0.changed(from: old, to: new) }
  }

  /// Stores the layout of a type, if it has none.
  func add(_ layout: FieldLayout, of type: Int) {
    let pointer = unsafe Unmanaged.passRetained(layout)
    let (isStored, _) = unsafe slots[type].compareExchange(
      expected: nil, desired: pointer, ordering: .acquiringAndReleasing)
    if !isStored { unsafe pointer.release() }
  }
}
