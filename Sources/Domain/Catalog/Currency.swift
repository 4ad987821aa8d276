/// An ISO 4217 currency: its code and the number of decimal digits of its minor unit.
///
/// The value has four bytes and no references, so copies and comparisons are cheap.
public struct Currency: Sendable, Hashable {
  /// The ASCII letters of the code, and in the lowest byte the number of digits.
  private let packed: UInt32

  /// Creates the currency with this code, which must be in capital letters.
  ///
  /// - Throws: ``MoneyError/unknownCurrency(_:)`` if ISO 4217 does not list this code, or lists it
  ///   without a minor unit, as gold (`XAU`).
  public init(_ code: String) throws(MoneyError) {
    guard let digits = Self.minorDigits(of: code) else { throw .unknownCurrency(code) }
    self.init(knownCode: code, minorDigits: digits)
  }

  private init(knownCode code: String, minorDigits: UInt32) {
    packed = code.utf8.reduce(0) { $0 << 8 | UInt32($1) } << 8 | minorDigits
  }

  /// The United States dollar.
  public static let usd = Currency(knownCode: "USD", minorDigits: 2)
  /// The euro.
  public static let eur = Currency(knownCode: "EUR", minorDigits: 2)
  /// The pound sterling.
  public static let gbp = Currency(knownCode: "GBP", minorDigits: 2)
  /// The Japanese yen.
  public static let jpy = Currency(knownCode: "JPY", minorDigits: 0)

  /// The ISO 4217 code: three capital letters.
  public var code: String {
    String(decoding: [24, 16, 8].map { UInt8(truncatingIfNeeded: packed >> $0) }, as: UTF8.self)
  }

  /// The number of decimal digits of the minor unit: usually 2, 0 for the yen, 3 for the Kuwaiti
  /// dinar.
  public var minorDigits: Int { Int(packed & 0xFF) }
}

extension Currency: CustomStringConvertible {
  public var description: String { code }
}

extension Currency: Codable {
  /// Decodes the code. An unknown code is an error: without the number of digits, amounts would be
  /// guesses.
  ///
  /// - Throws: `DecodingError`. For an unknown code, the underlying error is a ``MoneyError``.
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

  /// Encodes the code as a single string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(code)
  }
}

extension Currency {
  /// The number of decimal digits of the minor unit, if ``init(_:)`` accepts the code.
  static func minorDigits(of code: String) -> UInt32? {
    guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else { return nil }
    return minorDigitsByCode[code]
  }

  private static let minorDigitsByCode: [String: UInt32] = {
    let codesByDigits: [(digits: UInt32, codes: String)] = [
      (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
      (
        2,
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF \
        CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD \
        HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT \
        MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR \
        SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU \
        UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
        """
      ),
      (3, "BHD IQD JOD KWD LYD OMR TND"),
      (4, "CLF UYW"),
    ]
    return codesByDigits.reduce(into: [:]) { table, row in
      for code in row.codes.split(separator: " ") { table[String(code)] = row.digits }
    }
  }()
}
