import AsyncViewModels
import Foundation

extension Error {
  /// The place and the reason of an error of `JSONDecoder`, as in `decodingReason`.
  ///
  /// `JSONDecoder` reports a number such as 1.5 in an integer field as invalid JSON, without the field. This function finds
  /// the field. All numbers of the storefront are integers.
  ///
  /// - Parameter json: The decoded bytes.
  /// - Complexity: O(length of `json`) for such an error, otherwise O(1).
  func decodingReason(in json: Data) -> String {
    guard case DecodingError.dataCorrupted(let context) = self as any Error, context.codingPath.isEmpty else {
      return decodingReason
    }
    do {
      _ = try JSONDecoder().decode(IntegerCheck.self, from: json)
    } catch let number as UnrepresentableNumber {
      return DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: number.path, debugDescription: "the number is not an integer in the supported range")
      ).decodingReason
    } catch {}
    return decodingReason
  }
}

/// The place of a number that `Int` cannot represent.
private struct UnrepresentableNumber: Error {
  let path: [any CodingKey]
}

/// Any JSON value. Decoding it throws an ``UnrepresentableNumber`` if a number is not an `Int`.
private struct IntegerCheck: Decodable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let fields = try? decoder.container(keyedBy: Key.self) {
      for key in fields.allKeys { _ = try fields.decode(Self.self, forKey: key) }
    } else if var elements = try? decoder.unkeyedContainer() {
      while !elements.isAtEnd { _ = try elements.decode(Self.self) }
    } else {
      do { _ = try decoder.singleValueContainer().decode(Int.self) } catch is DecodingError {
        // It is not a number.
      } catch {
        throw UnrepresentableNumber(path: decoder.codingPath)
      }
    }
  }
}
