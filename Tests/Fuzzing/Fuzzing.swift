import Foundation

/// A part that libFuzzer tests. The environment variable `FUZZED_PART` contains its name.
private enum FuzzedPart: String {
  case serverSentEventParser = "ServerSentEventParser"
  case storedFile = "StoredFile"
  case responseDecoding = "ResponseDecoding"

  static let selected: Self = {
    let name = ProcessInfo.processInfo.environment["FUZZED_PART"] ?? ""
    guard let part = Self(rawValue: name) else { preconditionFailure("unknown part '\(name)'") }
    return part
  }()
}

/// Checks one input. A failed check ends the process.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  switch FuzzedPart.selected {
  case .serverSentEventParser: fuzzServerSentEventParser(input)
  case .storedFile: fuzzStoredFile(input)
  case .responseDecoding: fuzzResponseDecoding(input)
  }
  return 0
}

/// Ends the process with a message. Unlike `precondition`, it also prints the message in an optimized build.
func check(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) {
  guard !condition else { return }
  fatalError(message(), line: line)
}

/// The number of bytes that the process has allocated now, as the address sanitizer counts them.
@_extern(c, "__sanitizer_get_current_allocated_bytes")
func allocatedByteCount() -> Int
