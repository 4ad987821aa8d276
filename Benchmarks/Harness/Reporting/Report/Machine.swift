import AsyncViewModelsCommandLine
import Foundation

/// The machine and the build that a run measured.
struct Machine: Codable, Equatable, Sendable {
  let system: String
  let architecture: String
  let cores: Int
  let isDebugBuild: Bool
  /// The processor's name, or `nil` if it is unavailable.
  var processor: String? = nil

  /// A description for a caption, such as `2 cores, AMD EPYC, Debian GNU/Linux 12 (bookworm)`.
  ///
  /// Names the architecture if the processor's name is unavailable.
  var summary: String {
    (["\(cores) cores", processor ?? architecture, system]).joined(separator: ", ")
  }

  static var current: Machine {
    Machine(
      system: ProcessInfo.processInfo.operatingSystemVersionString, architecture: architecture,
      cores: ProcessInfo.processInfo.activeProcessorCount, isDebugBuild: BuildConfiguration.isDebug,
      processor: processorName)
  }

  private static var processorName: String? {
    #if os(Linux)
      guard let information = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else {
        return nil
      }
      return information.split(separator: "\n").first { $0.hasPrefix("model name") }
        .flatMap { $0.split(separator: ":").last }.map { $0.trimmingCharacters(in: .whitespaces) }
    #elseif os(macOS)
      var name = [CChar](repeating: 0, count: 256)
      var size = name.count
      guard unsafe sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0) == 0 else { return nil }
      return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    #else
      nil
    #endif
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
}
