public import Foundation

// Faults of a disk. The test owns the file: a `Data?` that is nil if there is no file.

extension SimulatedWorldFaults {
  /// Simulates reading a file.
  ///
  /// Half of the reads return `contents`. The others throw an error, return no bytes, or return
  /// only the first bytes, with equal probability. The file does not change, so a later read may
  /// succeed.
  ///
  /// - Parameter contents: The bytes of the file, or nil if there is no file.
  /// - Throws: `CocoaError(.fileReadNoSuchFile)`: always if there is no file, otherwise as a fault.
  public func read(_ contents: Data?) throws(CocoaError) -> Data {
    guard let contents else { throw CocoaError(.fileReadNoSuchFile) }
    guard world.core.choose(2, quietly: true) == 1 else { return contents }
    switch world.core.choose(3, quietly: true) {
    case 0:
      world.log("finds no file")
      throw CocoaError(.fileReadNoSuchFile)
    case 1:
      world.log("reads nothing")
      return Data()
    default: return cut(contents, "reads")
    }
  }

  /// Simulates a write that replaces the contents of a file and is not atomic. Half of the writes
  /// succeed.
  ///
  /// - Throws: `CocoaError(.fileWriteOutOfSpace)`. The file is then either unchanged or torn: it
  ///   holds only the beginning of `data`.
  public func write(_ data: Data, to contents: inout Data?) throws(CocoaError) {
    guard world.core.choose(2, quietly: true) == 1 else {
      contents = data
      return
    }
    if world.core.choose(2, quietly: true) == 1 {
      contents = cut(data, "runs out of space after")
    } else {
      world.log("has no space to write")
    }
    throw CocoaError(.fileWriteOutOfSpace)
  }
}
