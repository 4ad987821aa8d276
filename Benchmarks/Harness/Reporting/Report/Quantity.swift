import AsyncViewModelsCommandLine
import Foundation

/// Formats numbers for people: three significant digits and a unit.
public enum Quantity {
  static func time(nanoseconds: Double) -> String {
    scaled(nanoseconds, [(1, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")])
  }

  /// A round time, without trailing zeros after the decimal point: "20 ns", "1 µs", "0.5 ns".
  static func tick(nanoseconds: Double) -> String {
    let units = [(1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")]
    let unit = units.last { nanoseconds >= $0.0 * 0.9995 } ?? units[0]
    return String(format: "%g", nanoseconds / unit.0) + " " + unit.1
  }

  static func memory(bytes: Int) -> String {
    scaled(Double(bytes), [(1e3, "kB"), (1e6, "MB"), (1e9, "GB")])
  }

  /// A duration, rounded to seconds: "2 min 5 s", "41 s".
  static func wait(_ duration: Duration) -> String {
    let seconds = Int((duration.nanoseconds / 1e9).rounded())
    return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }

  /// A ratio of two times, stated as a factor of at least 1: "1.48× as long", "37.2× as fast".
  static func comparison(ratio: Double) -> String {
    ratio >= 1 ? "\(digits(ratio))× as long" : "\(digits(1 / ratio))× as fast"
  }

  static func percentage(_ fraction: Double) -> String {
    "\(Int((fraction * 100).rounded())) %"
  }

  /// Three significant digits, and always all digits before the decimal point.
  static func digits(_ value: Double) -> String {
    switch abs(value) {
    case ..<9.995: String(format: "%.2f", value)
    case ..<99.95: String(format: "%.1f", value)
    default: Int(value.rounded()).grouped
    }
  }

  /// How often something happens per operation: three digits, and "0" only if it never happens.
  static func rate(_ value: Double) -> String {
    switch value {
    case 0: "0"
    case ..<0.005: "<0.01"
    default: number(value, unit: "")
    }
  }

  /// A number and its unit. A whole number has no decimal point: "12", "1.08 ×", "256 bytes".
  static func number(_ value: Double, unit: String) -> String {
    let isWhole = value == value.rounded() && abs(value) < 1e15
    let number = isWhole ? Int(value).grouped : digits(value)
    return unit.isEmpty ? number : "\(number) \(unit)"
  }

  /// Uses the largest unit in which the value, rounded to three digits, is at least 1.
  private static func scaled(_ value: Double, _ units: [(size: Double, name: String)]) -> String {
    let unit = units.last { abs(value) >= $0.size * 0.9995 } ?? units[0]
    return "\(digits(value / unit.size)) \(unit.name)"
  }

  /// A number with its noun, in the singular or the plural: "1 observer", "1,000 observers".
  public static func count(_ number: Int, _ noun: String) -> String {
    "\(number.grouped) \(noun)\(number == 1 ? "" : "s")"
  }
}
