import Foundation

/// The exit codes that the programs of this package share.
package enum ExitCode {
  package static let success: Int32 = 0
  package static let failure: Int32 = 1
  package static let usage: Int32 = 2
  package static let interrupted: Int32 = 130

  /// Writes `error` to standard error, followed by `usage` if the error is a ``UsageError``.
  ///
  /// - Returns: The exit code for the error.
  package static func explaining(_ error: any Error, usage: String) -> Int32 {
    guard error is UsageError else {
      writeToStandardError("error: \(error)\n")
      return failure
    }
    writeToStandardError("error: \(error)\n\n\(usage)\n")
    return self.usage
  }
}

/// Why a program cannot print its results.
package struct OutputError: Error, CustomStringConvertible {
  package let description: String
}

/// Checks at the start of a program that standard output is open.
///
/// Otherwise, a file that the program opens later would get the descriptor of standard output, and the
/// program would write its results into that file.
///
/// - Throws: ``OutputError`` if standard output is closed.
package func requireStandardOutput() throws(OutputError) {
  guard fcntl(STDOUT_FILENO, F_GETFD) != -1 else {
    throw OutputError(description: "cannot write to standard output: it is closed")
  }
}

/// Writes `text` and a line break to standard output. Unlike `print`, it reports a full or closed output.
///
/// - Throws: ``OutputError``.
package func writeToStandardOutput(_ text: String) throws(OutputError) {
  do { try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8)) } catch {
    throw OutputError(description: "cannot write to standard output: \(systemReason(of: error))")
  }
}

/// The system's message for a file error, such as "No space left on device".
func systemReason(of error: any Error) -> String {
  let error = error as NSError
  let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
  guard cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
  return unsafe String(cString: unsafe strerror(Int32(cause.code)))
}

package func writeToStandardError(_ text: String) {
  FileHandle.standardError.write(Data(text.utf8))
}
