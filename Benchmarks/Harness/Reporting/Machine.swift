import Foundation

/// Where and how figures were measured.
struct Machine: Codable, Equatable, Sendable {
  let system: String
  let architecture: String
  let cores: Int
  let isDebugBuild: Bool

  static var current: Machine {
    Machine(
      system: ProcessInfo.processInfo.operatingSystemVersionString, architecture: architecture,
      cores: ProcessInfo.processInfo.activeProcessorCount, isDebugBuild: isDebugBuild)
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86-64"
    #elseif arch(arm64)
      "arm64"
    #else
      "unknown architecture"
    #endif
  }

  static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }
}
