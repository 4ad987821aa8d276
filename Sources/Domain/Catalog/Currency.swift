/// A currency of ISO 4217: its code, and how many decimal digits its minor unit has.
///
/// A trivial value of four bytes: copying and comparing cost one instruction.
public struct Currency: Sendable, Hashable {
  /// Three ASCII letters, and the number of digits in the lowest byte.
  private let packed: UInt32

  /// The currency with this code, in capitals.
  ///
  /// - Throws: ``MoneyError/unknownCurrency(_:)`` where ISO 4217 lists no such code.
  public init(_ code: String) throws(MoneyError) {
    guard let digits = Self.minorDigits(of: code) else { throw .unknownCurrency(code) }
    self.init(knownCode: code, minorDigits: digits)
  }

  private init(knownCode code: String, minorDigits: UInt32) {
    packed = code.utf8.reduce(0) { $0 << 8 | UInt32($1) } << 8 | minorDigits
  }

  public static let usd = Currency(knownCode: "USD", minorDigits: 2)
  public static let eur = Currency(knownCode: "EUR", minorDigits: 2)
  public static let gbp = Currency(knownCode: "GBP", minorDigits: 2)
  public static let jpy = Currency(knownCode: "JPY", minorDigits: 0)

  /// The code: three capital letters.
  public var code: String {
    String(decoding: [24, 16, 8].map { UInt8(truncatingIfNeeded: packed >> $0) }, as: UTF8.self)
  }

  /// How many decimal digits the minor unit has: 2 for most, 0 for the yen, 3 for the dinar of Kuwait.
  public var minorDigits: Int { Int(packed & 0xFF) }
}

extension Currency: CustomStringConvertible {
  public var description: String { code }
}

extension Currency: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let code = try container.decode(String.self)
    do {
      self = try Currency(code)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: container.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(code)
  }
}
