public import Foundation

/// An amount of money in whole minor units (cents, yen, fils) of one currency.
///
/// Arithmetic is exact, without fractions and rounding, or throws a ``MoneyError``.
public struct Money: Sendable, Hashable, Codable {
  /// The amount in minor units, such as cents.
  public let minorUnits: Int
  /// The currency of the amount.
  public let currency: Currency

  /// Creates an amount.
  public init(minorUnits: Int, currency: Currency) {
    self.minorUnits = minorUnits
    self.currency = currency
  }

  /// An amount of 0.
  public static func zero(in currency: Currency) -> Money {
    Money(minorUnits: 0, currency: currency)
  }
}

extension Money {
  /// The sum of two amounts.
  ///
  /// - Throws: ``MoneyError/mixedCurrencies(_:_:)`` or ``MoneyError/overflow``.
  public static func + (left: Money, right: Money) throws(MoneyError) -> Money {
    try left.combined(with: right, left.minorUnits.addingReportingOverflow(right.minorUnits))
  }

  /// The difference of two amounts.
  ///
  /// - Throws: ``MoneyError/mixedCurrencies(_:_:)`` or ``MoneyError/overflow``.
  public static func - (left: Money, right: Money) throws(MoneyError) -> Money {
    try left.combined(with: right, left.minorUnits.subtractingReportingOverflow(right.minorUnits))
  }

  /// The price of several units: `price` multiplied by `quantity`.
  ///
  /// - Throws: ``MoneyError/overflow``.
  public static func * (price: Money, quantity: Int) throws(MoneyError) -> Money {
    let (product, overflow) = price.minorUnits.multipliedReportingOverflow(by: quantity)
    guard !overflow else { throw .overflow }
    return Money(minorUnits: product, currency: price.currency)
  }

  /// The sum of the amounts. Without amounts, the sum is 0 in `currency`.
  ///
  /// - Throws: ``MoneyError/mixedCurrencies(_:_:)`` for the first amount in another currency, or
  ///   ``MoneyError/overflow`` as soon as a partial sum overflows.
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
  /// The amount with a decimal point and the currency code, without a locale: `-12.05 EUR`, `500
  /// JPY`.
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

/// An error of money arithmetic or of a currency code.
public enum MoneyError: Error, Equatable, Sendable {
  /// The result does not fit in an `Int` of minor units.
  case overflow
  /// The amounts have different currencies, in operand order.
  case mixedCurrencies(Currency, Currency)
  /// ISO 4217 does not list this code, or lists it without a minor unit, as gold (`XAU`).
  case unknownCurrency(String)
}

extension MoneyError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .overflow: "The amount is too large to represent."
    case .mixedCurrencies(let first, let second): "Amounts in \(first) and \(second) cannot be combined."
    case .unknownCurrency(let code): "The currency code \"\(code)\" is unknown."
    }
  }

  public var errorDescription: String? { description }
}
