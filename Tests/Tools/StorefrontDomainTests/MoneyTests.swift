import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@Suite("Money", .timeLimit(.minutes(5)), .endsWaits)
struct MoneyTests {
  private let euros = { Money(minorUnits: $0, currency: .eur) }

  @Test("arithmetic is exact in minor units")
  func arithmetic() throws {
    #expect(try euros(1_05) + euros(2_95) == euros(4_00))
    #expect(try euros(1_00) - euros(2_50) == euros(-1_50))
    #expect(try euros(3_33) * 3 == euros(9_99))
    #expect(try Money.sum([euros(1), euros(2), euros(3)], in: .eur) == euros(6))
    #expect(try Money.sum([], in: .jpy) == .zero(in: .jpy))
  }

  @Test("a result that does not fit is an overflow error, never a wrapped amount")
  func overflow() {
    #expect(throws: MoneyError.overflow) { try euros(.max) + euros(1) }
    #expect(throws: MoneyError.overflow) { try euros(.min) - euros(1) }
    #expect(throws: MoneyError.overflow) { try euros(.max) * 2 }
    #expect(throws: MoneyError.overflow) { try Money.sum([euros(.max), euros(1)], in: .eur) }
  }

  @Test("an operation on two currencies throws an error that names both currencies in order")
  func mixedCurrencies() {
    let dollar = Money(minorUnits: 1, currency: .usd)
    #expect(throws: MoneyError.mixedCurrencies(.eur, .usd)) { try euros(1) + dollar }
    #expect(throws: MoneyError.mixedCurrencies(.usd, .eur)) { try dollar - euros(1) }
    #expect(throws: MoneyError.mixedCurrencies(.eur, .usd)) { try Money.sum([euros(1), dollar], in: .eur) }
    // If the currencies differ and the sum overflows, the error names the currencies.
    #expect(throws: MoneyError.mixedCurrencies(.eur, .usd)) { try euros(.max) + dollar }
  }

  @Test(
    "a description is the same in every locale",
    arguments: [
      (0, "EUR", "0.00 EUR"), (5, "EUR", "0.05 EUR"), (-1205, "EUR", "-12.05 EUR"), (-5, "USD", "-0.05 USD"),
      (500, "JPY", "500 JPY"), (-1, "JPY", "-1 JPY"), (1, "KWD", "0.001 KWD"), (12345, "CLF", "1.2345 CLF"),
      (.min, "USD", "-92233720368547758.08 USD"),
    ])
  func descriptions(minorUnits: Int, code: String, text: String) throws {
    #expect(Money(minorUnits: minorUnits, currency: try Currency(code)).description == text)
  }

  @Test(
    "a text that is not an ISO 4217 code in capital letters is an unknown currency",
    arguments: ["", "eur", "EU", "EURO", "XXQ", "É1", "\u{212A}RW"])
  func unknownCurrency(code: String) {
    // The first letter of the last code is the sign of the unit kelvin. As a `String`, it equals K.
    #expect(throws: MoneyError.unknownCurrency(code)) { try Currency(code) }
  }

  @Test("a currency has its ISO 4217 code and the number of its minor digits")
  func currencies() throws {
    #expect(Currency.usd.code == "USD" && Currency.usd.minorDigits == 2)
    #expect(try Currency("USD") == .usd && Currency("EUR") == .eur && Currency("GBP") == .gbp)
    #expect(try Currency("JPY") == .jpy && Currency.jpy.minorDigits == 0)
    #expect(try Currency("BHD").minorDigits == 3)
    #expect(try Currency("XCG").minorDigits == 2, "the successor of ANG")
  }

  @Test("every currency whose minor unit does not have two digits has the number of digits of ISO 4217")
  func minorDigits() throws {
    let codes = [
      0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
      3: "BHD IQD JOD KWD LYD OMR TND", 4: "CLF UYW",
    ]
    for (digits, codes) in codes {
      for code in codes.split(separator: " ") {
        #expect(try Currency(String(code)).minorDigits == digits, "\(code)")
      }
    }
  }

  @Test("money survives encoding and decoding")
  func roundTrip() throws {
    let amount = Money(minorUnits: -1299, currency: try Currency("KWD"))
    let data = try JSONEncoder().encode(amount)
    #expect(try JSONDecoder().decode(Money.self, from: data) == amount)
  }

  @Test("an unknown currency does not decode")
  func undecodable() {
    let data = Data(#"{"minorUnits": 1, "currency": "ZZZ"}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Money.self, from: data) }
  }
}
