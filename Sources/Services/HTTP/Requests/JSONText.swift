import Foundation

/// Facts about JSON text that `JSONDecoder` does not report. Invalid text causes no error.
enum JSONText {
  private static let deepest = 512

  /// The paths of numbers that `Int` cannot represent, such as `items[3].price.minorUnits`.
  ///
  /// Contains the first of the paths that differ only in their indices. Examines the first 1,000
  /// numbers with a fraction, an exponent or at least 19 digits. Cuts names off after 200 bytes.
  static func pathsOfUnrepresentableNumbers(in json: Data, limit: Int) -> [String] {
    var paths: [String] = []
    var shapes: Set<String> = []
    // Without a limit, a long list of numbers with a fraction or an exponent would take long.
    var remaining = 1_000
    visitNumbers(in: json) { number, place in
      let isShortInteger = number.count < 19 && !number.contains(where: ".eE".utf8.contains)
      guard !isShortInteger else { return true }
      remaining -= 1
      let isRepresentable = (try? JSONDecoder().decode(Int.self, from: number)) != nil
      if !isRepresentable, shapes.insert(path(place, withIndices: false)).inserted {
        paths.append(path(place, withIndices: true))
      }
      return paths.count < limit && remaining > 0
    }
    return paths
  }
}

extension JSONText {
  private static let longestName = 200

  /// A container around a value, and the place of the value in it.
  private enum Step {
    case index(Int)
    case name(Data)
  }

  /// Calls `body` with each number and its place until `body` returns `false`.
  private static func visitNumbers(in json: Data, _ body: (_ number: Data, _ place: [Step]) -> Bool) {
    var place: [Step] = []
    var position = json.startIndex
    while position < json.endIndex {
      let byte = json[position]
      let start = position
      position += 1
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        guard place.count < deepest else { return }
        place.append(byte == UInt8(ascii: "[") ? .index(0) : .name(Data()))
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = place.popLast()
      case UInt8(ascii: ","):
        if case .index(let index) = place.last { place[place.count - 1] = .index(index + 1) }
      case UInt8(ascii: "\""):
        position = end(ofTextFrom: position, in: json)
        // A name is the last text before a number in an object. Shortened, because a path with the
        // name is made for many numbers.
        if case .name = place.last {
          place[place.count - 1] = .name(json[(start + 1)..<position].dropLast().prefix(longestName))
        }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        position = json[start...].firstIndex { !isPartOfNumber($0) } ?? json.endIndex
        guard body(json[start..<position], place) else { return }
      default: break
      }
    }
  }

  /// The index after the quotation mark that ends a text.
  private static func end(ofTextFrom start: Data.Index, in json: Data) -> Data.Index {
    var isEscaped = false
    for position in json[start...].indices {
      if isEscaped {
        isEscaped = false
      } else if json[position] == UInt8(ascii: "\"") {
        return position + 1
      } else {
        isEscaped = json[position] == UInt8(ascii: "\\")
      }
    }
    return json.endIndex
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private static func path(_ place: [Step], withIndices: Bool) -> String {
    place.reduce("") { path, step in
      switch step {
      case .index(let index): "\(path)[\(withIndices ? "\(index)" : "")]"
      case .name(let name):
        "\(path)\(path.isEmpty ? "" : ".")\(String(decoding: name, as: UTF8.self))"
      }
    }
  }
}
