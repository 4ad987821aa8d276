/// Why an amount of money cannot be had.
public enum MoneyError: Error, Equatable, Sendable {
  /// The result has more minor units than an `Int` can hold.
  case overflow
  /// Amounts in two currencies were put together, in this order.
  case mixedCurrencies(Currency, Currency)
  /// ISO 4217 lists no currency with this code.
  case unknownCurrency(String)
}

extension MoneyError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .overflow: "the amount is too large"
    case .mixedCurrencies(let first, let second): "\(first) and \(second) cannot be put together"
    case .unknownCurrency(let code): "unknown currency \"\(code)\""
    }
  }
}
