/// Connects the dynamic properties of a view to the storage in its node, and calls `update()` of each.
///
/// Like SwiftUI, this type finds the properties with the reflection metadata of the Swift runtime. `Mirror`
/// would not do, because it returns copies.
@MainActor
struct Linker {
  let node: Node

  /// - Parameter offset: The place of `value` in the view.
  func link<T>(_ value: inout T, at offset: Int = 0) {
    guard Mirror(reflecting: value).displayStyle == .struct else { return }
    unsafe withUnsafeMutableBytes(of: &value) { bytes in
      for index in 0..<fieldCount(T.self) {
        var field = unsafe FieldMetadata()
        let type = unsafe fieldType(T.self, index: index, metadata: &field)
        unsafe field.freeName?(field.name)
        guard let type = type as? any DynamicProperty.Type, let start = bytes.baseAddress else { continue }
        let fieldOffset = fieldOffset(T.self, index: index)
        unsafe link(type, start + fieldOffset, at: offset + fieldOffset)
      }
    }
  }

  private func link<P: DynamicProperty>(_ type: P.Type, _ address: UnsafeMutableRawPointer, at offset: Int) {
    if let type = type as? any LinkedProperty.Type {
      unsafe linkStorage(type, address, at: offset)
    } else {
      unsafe link(&address.assumingMemoryBound(to: type).pointee, at: offset)
    }
    unsafe address.assumingMemoryBound(to: type).pointee.update()
  }

  private func linkStorage<P: LinkedProperty>(
    _ type: P.Type, _ address: UnsafeMutableRawPointer, at offset: Int
  ) {
    unsafe address.assumingMemoryBound(to: type).pointee.link(to: node, at: offset)
  }
}

// The functions of the runtime behind `Mirror`.

@unsafe
private struct FieldMetadata {
  var name: UnsafePointer<CChar>?
  var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVar = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldType(
  _ type: Any.Type, index: Int, metadata: UnsafeMutablePointer<FieldMetadata>
) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_ type: Any.Type, index: Int) -> Int
