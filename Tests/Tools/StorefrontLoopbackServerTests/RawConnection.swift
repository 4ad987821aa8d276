import Foundation
import StorefrontLoopbackServer

/// A client that sends any bytes, HTTP or not.
struct RawConnection: ~Copyable {
  private let descriptor: Int32

  init(to url: URL) throws {
    descriptor = socket(AF_INET, PlatformSocket.stream, 0)
    PlatformSocket.suppressBrokenPipeSignal(of: descriptor)
    var limit = timeval(tv_sec: 100, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(url.port ?? 80).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw POSIXError(.init(rawValue: errno) ?? .ECONNREFUSED) }
  }

  deinit { _ = close(descriptor) }

  /// Sends all requests, and returns all that the server sends until it closes the connection.
  static func answer(to requests: String, from url: URL) throws -> String {
    let connection = try RawConnection(to: url)
    connection.send(requests)
    connection.endOutput()
    return connection.readToEnd()
  }

  func send(_ bytes: some Collection<UInt8>) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe PlatformSocket.send(descriptor, $0) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func send(_ text: String) {
    send(text.utf8)
  }

  /// Sends as many of the bytes as the system accepts at once, and returns their number.
  func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    defer { _ = fcntl(descriptor, F_SETFL, flags) }
    return max(0, unsafe bytes.withUnsafeBytes { unsafe PlatformSocket.send(descriptor, $0) })
  }

  /// Whether bytes have arrived that were not read.
  var hasInput: Bool {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// Discards the input, and returns whether the server closes the connection before it sends nothing for 100
  /// seconds.
  func isClosedByPeer() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
      if count <= 0 { return count == 0 || errno == ECONNRESET }
    }
  }

  func endOutput() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Ends the output, and reads everything until the server closes the connection.
  func end() -> String {
    endOutput()
    return readToEnd()
  }

  /// Reads until the server closes the connection or sends nothing for 100 seconds.
  func readToEnd() -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk.prefix(count)
    }
  }
}

/// The text of a request. A write has a new key, and a body has its content type, unless `fields` contains these fields.
///
/// - Parameter fields: The lines of the fields, such as `Accept: */*`.
func rawRequest(
  _ method: String, _ target: String, _ fields: [String] = [], body: String = "", key: String? = nil
) -> String {
  var lines = ["\(method) \(target) HTTP/1.1", "Host: x"] + fields
  func add(_ name: String, _ value: String) {
    if !fields.contains(where: { $0.hasPrefix("\(name):") }) { lines.append("\(name): \(value)") }
  }
  if ["POST", "PUT", "DELETE"].contains(method) { add("Idempotency-Key", "\"\(key ?? UUID().uuidString)\"") }
  if !body.isEmpty { add("Content-Type", "application/json") }
  if method != "GET" { add("Content-Length", "\(body.utf8.count)") }
  return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
}
