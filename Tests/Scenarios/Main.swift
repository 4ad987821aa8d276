import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@main
struct Main {
  static func main() {
    settleHashing()
    beginInStableOrder()
    exit(Program.run(Array(CommandLine.arguments.dropFirst())))
  }

  /// The order of sets differs from process to process, and a seed must mean the same in all of them: begins again without that.
  private static func settleHashing() {
    #if os(Linux)
      let setting = "SWIFT_DETERMINISTIC_HASHING"
      guard ProcessInfo.processInfo.environment[setting] == nil else { return }
      unsafe setenv(setting, "1", 1)
      _ = unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
    #endif
  }

  /// Sets and dictionaries have another order in each process, and a seed has to mean the same in all of them: begins this one anew,
  /// with the one order that it has on request.
  private static func beginInStableOrder() {
    let variable = "SWIFT_DETERMINISTIC_HASHING"
    guard ProcessInfo.processInfo.environment[variable] == nil, let path = Bundle.main.executablePath else {
      return
    }
    unsafe setenv(variable, "1", 1)
    // It returns only where it fails: then the replays that are compared will tell.
    unsafe execv(path, CommandLine.unsafeArgv)
  }
}
