#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The rules for the header lines of a request.
  enum CurlHeaders {
    /// Fields that libcurl adds: they describe the connection or the length of the body.
    private static let reserved: Set = ["connection", "content-length", "host", "transfer-encoding"]

    /// The lines for libcurl: `Name: value`, `Name;` for an empty value, `Name:` to drop a field.
    static func lines(of request: URLRequest) -> [String] {
      var fields = (request.allHTTPHeaderFields ?? [:]).map { ($0.key.singleLine, $0.value.singleLine) }
        .filter { name, _ in name.isToken && !reserved.contains(name.lowercased()) }
      if request.value(forHTTPHeaderField: "User-Agent") == nil {
        fields.append(("User-Agent", ProcessInfo.processInfo.processName.singleLine))
      }
      var lines = fields.map { name, value in value.isEmpty ? "\(name);" : "\(name): \(value)" }
        .sorted()
      if request.value(forHTTPHeaderField: "Content-Type") == nil { lines.append("Content-Type:") }
      return lines + ["Expect:"]
    }
  }

  extension String {
    /// The text without line breaks and NULs, which would end the line (RFC 9110, section 5.5).
    var singleLine: String {
      String(String.UnicodeScalarView(unicodeScalars.map { ["\r", "\n", "\0"].contains($0) ? " " : $0 }))
        .trimmingCharacters(in: .whitespaces)
    }

    /// Whether the text can be the name of a field (RFC 9110, sections 5.1 and 5.6.2). A colon
    /// would begin the value of another field, such as `Host`.
    fileprivate var isToken: Bool {
      !isEmpty
        && utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
          default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
          }
        }
    }
  }
#endif
