import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The rules for the field `Retry-After` of a response (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// The time that the response asks to wait, if the field is valid. A past date means no wait.
  ///
  /// A date is compared with the `Date` field, because the clock of the device may be wrong.
  ///
  /// - Parameter now: The time of the device, for a response without a valid `Date` field.
  static func delay(in head: HTTPURLResponse, at now: Date) -> Duration? {
    guard let field = head.value(forHTTPHeaderField: "Retry-After")?.trimmingCharacters(in: .whitespaces)
    else { return nil }
    if !field.isEmpty, field.utf8.allSatisfy({ (48...57).contains($0) }) {
      // A number that is too large for `Int64` is larger than every limit.
      return .seconds(Int64(field) ?? .max)
    }
    guard let date = HTTPDate.date(field, at: now) else { return nil }
    let sent = head.value(forHTTPHeaderField: "Date").flatMap { HTTPDate.date($0, at: now) } ?? now
    return .seconds(max(0, Int64(date.timeIntervalSince(sent).rounded(.up))))
  }
}

/// The format of dates in HTTP fields, and two obsolete ones (RFC 9110, section 5.6.7).
enum HTTPDate {
  private static let formats = [
    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
  ]

  /// The date that `text` describes, if it has one of the formats.
  ///
  /// - Parameter now: The current time. A year of two digits is never more than 50 years later.
  static func date(_ text: String, at now: Date) -> Date? {
    let text = text.trimmingCharacters(in: .whitespaces)
    // On Linux, `DateFormatter` ends the process if a combining character follows a digit.
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.isLenient = false
    formatter.twoDigitStartDate = now.addingTimeInterval(-50 * 365.25 * 24 * 60 * 60)
    for format in formats {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}
