import Foundation

/// Looks up symbols of the libraries in this process.
enum Symbols {
  static func address(of name: String) -> UnsafeMutableRawPointer? {
    // `RTLD_DEFAULT`, a macro that Swift does not import.
    #if canImport(Darwin)
      unsafe dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
    #else
      unsafe dlsym(nil, name)
    #endif
  }
}
