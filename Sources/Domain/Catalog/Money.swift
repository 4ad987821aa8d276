/// An amount of money: whole minor units (cents, yen, fils) of one currency. Never a fraction, so never rounded.
///
/// Arithmetic is exact or throws ``MoneyError``: no result wraps around, and currencies never mix.
public struct Money: Sendable, Hashable, Codable {
  public let minorUnits: Int
  public let currency: Currency

  public init(minorUnits: Int, currency: Currency) {
    self.minorUnits = minorUnits
    self.currency = currency
  }

  /// Nothing, in a currency.
  public static func zero(in currency: Currency) -> Money {
    Money(minorUnits: 0, currency: currency)
  }
}

extension Money {
  /// - Throws: ``MoneyError/mixedCurrencies(_:_:)``, or ``MoneyError/overflow``.
  public static func + (left: Money, right: Money) throws(MoneyError) -> Money {
    try left.combined(with: right, left.minorUnits.addingReportingOverflow(right.minorUnits))
  }

  /// - Throws: ``MoneyError/mixedCurrencies(_:_:)``, or ``MoneyError/overflow``.
  public static func - (left: Money, right: Money) throws(MoneyError) -> Money {
    try left.combined(with: right, left.minorUnits.subtractingReportingOverflow(right.minorUnits))
  }

  /// The price of so many.
  ///
  /// - Throws: ``MoneyError/overflow``.
  public static func * (price: Money, quantity: Int) throws(MoneyError) -> Money {
    let (product, overflow) = price.minorUnits.multipliedReportingOverflow(by: quantity)
    guard !overflow else { throw .overflow }
    return Money(minorUnits: product, currency: price.currency)
  }

  /// The sum of the amounts, which is nothing in `currency` where there are none. O(n).
  ///
  /// - Throws: ``MoneyError/mixedCurrencies(_:_:)`` for the first amount that is not in `currency`, or
  ///   ``MoneyError/overflow`` as soon as a partial sum does not fit.
  public static func sum(_ amounts: some Sequence<Money>, in currency: Currency) throws(MoneyError) -> Money {
    var sum = zero(in: currency)
    for amount in amounts { sum = try sum + amount }
    return sum
  }

  private func combined(
    with other: Money, _ result: (partialValue: Int, overflow: Bool)
  ) throws(MoneyError) -> Money {
    guard currency == other.currency else { throw .mixedCurrencies(currency, other.currency) }
    guard !result.overflow else { throw .overflow }
    return Money(minorUnits: result.partialValue, currency: currency)
  }
}

extension Money: CustomStringConvertible {
  /// The amount with a decimal point, then the code, whatever the locale: `-12.05 EUR`, `500 JPY`.
  public var description: String {
    let digits = currency.minorDigits
    var text = String(minorUnits.magnitude)
    if digits > 0 {
      text = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
      text.insert(".", at: text.index(text.endIndex, offsetBy: -digits))
    }
    return "\(minorUnits < 0 ? "-" : "")\(text) \(currency.code)"
  }
}
