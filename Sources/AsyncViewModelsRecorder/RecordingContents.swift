import AsyncViewModels
import Foundation

/// What a recording has in its memory or in its file.
struct RecordingContents {
  /// The names in the order of their numbers.
  var names: [String]
  /// The start on the clock of the events.
  var start: UInt64
  /// The number of events that were begun.
  var end: UInt64
  /// Four words for each place of the ring.
  var events: [UInt64]

  /// Reads a file.
  init(path: String) throws(FlightRecorderError) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .file(path: path, code: errno) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw .file(path: path, code: errno) }
    let size = Int(status.st_size), capacity = RecordingLayout.capacity(size: size)
    guard let capacity else { throw .format(path: path) }
    var words = [UInt64](repeating: 0, count: size / 8)
    let code = unsafe words.withUnsafeMutableBytes { bytes -> Int32 in
      var offset = 0
      while offset < size {
        let count = unsafe read(file, bytes.baseAddress! + offset, size - offset)
        guard count > 0 else { return count == 0 ? EIO : errno }
        offset += count
      }
      return 0
    }
    guard code == 0 else { throw .file(path: path, code: code) }
    guard words[0] == RecordingLayout.format, words[1] == UInt64(capacity) else { throw .format(path: path) }
    self.init(
      names: Self.names(in: words), start: words[2], end: words[RecordingLayout.cursorOffset / 8],
      events: Array(words[(RecordingLayout.eventsOffset / 8)...]))
  }

  init(names: [String], start: UInt64, end: UInt64, events: [UInt64]) {
    (self.names, self.start, self.end, self.events) = (names, start, end, events)
  }

  private static func names(in words: [UInt64]) -> [String] {
    let wordsPerName = RecordingLayout.nameSize / 8
    return (0..<RecordingLayout.nameLimit).map { number in
      let start = RecordingLayout.namesOffset / 8 + number * wordsPerName
      let bytes = unsafe words[start..<start + wordsPerName].withUnsafeBytes { unsafe Array($0) }
      return String(decoding: bytes.dropFirst().prefix(Int(bytes[0])), as: UTF8.self)
    }
  }
}
