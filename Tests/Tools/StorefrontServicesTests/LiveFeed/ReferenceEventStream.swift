import AsyncViewModelsTesting

@testable import StorefrontServices

/// Streams of random fields, line ends and bytes.
enum RandomEventStream {
  private static let parts: [[UInt8]] =
    [
      "\n", "\r", "\r\n", "\n\n", "\r\n\r\n", "data", "data:", "data: ", "data: x", "event: e", "event:",
      "id: 1", "id:",
      "id: 2\u{0}", "retry: 10", "retry: x", ":", ": comment", " ", "é", "🥣", "unknown: x", "\u{FEFF}", "a",
      "::",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE2, 0x82], [0xEF], [0xBB], [0xBF], [0]]

  static func bytes(using generator: inout SplitMix64) -> [UInt8] {
    var bytes: [UInt8] = generator.next(in: 0...3) == 0 ? [0xEF, 0xBB, 0xBF] : []
    for _ in 0..<generator.next(in: 0...60) { bytes += generator.pick(parts) }
    return bytes
  }
}

/// A simple implementation of the standard that works on the scalars of the whole, decoded text.
struct ReferenceEventStream {
  var events: [ServerSentEvent] = []
  var lastEventID = ""
  var retry: Int?

  init(_ bytes: [UInt8]) {
    var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    var lines: [String] = []
    var line = ""
    var index = 0
    while index < scalars.count {
      if scalars[index] == "\n" || scalars[index] == "\r" {
        lines.append(line)
        line = ""
        if scalars[index] == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { index += 1 }
      } else {
        line.unicodeScalars.append(scalars[index])
      }
      index += 1
    }
    var (data, type): (String, String) = ("", "")
    var (buffer, id): (String, String?) = ("", nil)
    for line in lines {
      if line.isEmpty {
        lastEventID = buffer
        if !data.isEmpty {
          data.unicodeScalars.removeLast()
          events.append(
            ServerSentEvent(type: type.isEmpty ? "message" : type, data: data, id: id, lastEventID: buffer))
        }
        (data, type, id) = ("", "", nil)
        continue
      }
      let parts = line.unicodeScalars.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      var value = parts.count == 2 ? parts[1] : Substring.UnicodeScalarView()
      if value.first == " " { value.removeFirst() }
      switch Array(parts[0]) {
      case Array("data".unicodeScalars):
        data.unicodeScalars += value
        data.unicodeScalars.append("\n")
      case Array("event".unicodeScalars): type = String(value)
      case Array("id".unicodeScalars):
        if !value.contains("\u{0}") { (buffer, id) = (String(value), String(value)) }
      case Array("retry".unicodeScalars):
        if !value.isEmpty, value.allSatisfy({ ("0"..."9").contains($0) }) { retry = Int(String(value)) }
      default: break
      }
    }
  }
}
