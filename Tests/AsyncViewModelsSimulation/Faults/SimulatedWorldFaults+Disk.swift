public import Foundation

/// What a disk makes of the bytes of a file. The file itself is the test's: a `Data?`, nil where there is none.
extension SimulatedWorldFaults {
  /// What comes of reading a file that holds `contents`: half of the time those; else, each as likely, an error, no bytes at all, or
  /// those before some byte. The file stays as it is, so that reading again may go well.
  ///
  /// - Throws: `CocoaError(.fileReadNoSuchFile)`: always where there is no file, and as a fault where there is one.
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

  /// Writes `data` in place of what a file holds, as a plain write does: not atomically. Half of the writes work.
  ///
  /// - Throws: `CocoaError(.fileWriteOutOfSpace)`, and then the file either is as it was, or holds the beginning of `data` and nothing
  ///   of what it held before: a torn write.
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
