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

package func writeToStandardError(_ text: String) {
  FileHandle.standardError.write(Data(text.utf8))
}
