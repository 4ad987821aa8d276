import Foundation

/// The warnings that UIKit prints to the console.
enum StandInConsole {
  static func warn(_ message: String) {
    FileHandle.standardError.write(Data("[UIKit stand-in] \(message)\n".utf8))
  }
}
