internal import AsyncViewModelsRuntimeHooks
import Foundation

/// Handles the signals of a crash, on the thread that crashes.
///
/// If this thread runs a world and a check has failed, for example because a continuation is
/// resumed twice, the thread stops forever, and the run fails. Some checks of the Swift runtime
/// call `abort` instead of a trap. If the process cannot survive, for example after an access to
/// memory that does not exist, or should end, in a replay, the handler writes what replays the run
/// to standard error. Then the handler that was installed before handles the signal. The text is
/// built without the allocator of the process, which can be what has crashed.
enum CrashReport {
  static func install() { installOnce }

  private static let installOnce: Void = {
    traps_call { CrashReport.surviveTrap() }
    // Created here, and not in the handler.
    _ = traps
    for (index, signal) in signals.enumerated() {
      var action = SignalAction()
      #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler = { CrashReport.handle($0) }
      #else
        unsafe action.__sigaction_handler.sa_handler = { CrashReport.handle($0) }
      #endif
      action.sa_flags = SA_ONSTACK
      unsafe sigaction(signal, &action, &former[index])
    }
  }()

  /// Runs `body` on this thread, with a stack for the handler, which has none if the stack of the
  /// thread overflows.
  static func withSignalStack(_ body: () -> Void) {
    #if os(tvOS) || os(watchOS)
      body()
    #else
      let size = 128 << 10
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      defer { unsafe memory.deallocate() }
      var (stack, former) = unsafe (stack_t(), stack_t())
      unsafe stack.ss_sp = unsafe memory
      unsafe stack.ss_size = numericCast(size)
      unsafe sigaltstack(&stack, &former)
      defer { unsafe sigaltstack(&former, nil) }
      body()
    #endif
  }

  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV, SIGFPE]
  /// The handlers from before, in the order of `signals`.
  nonisolated(unsafe) private static var former = Array(
    repeating: SignalAction(), count: signals.count)

  private static func handle(_ signal: Int32) {
    if let world = JobCapture.current {
      if traps.contains(signal) { surviveTrap() }
      let writer = Writer()
      writer.write("\nsimulation: the process crashes in ")
      report(world, writer)
    }
    if let index = signals.firstIndex(of: signal) {
      unsafe sigaction(signal, &former[index], nil)
    } else {
      Foundation.signal(signal, SIG_DFL)
    }
    // A faulting instruction runs again after the return, and reaches the former handler. An abort
    // or a breakpoint does not.
    if signal == SIGABRT || signal == SIGTRAP { raise(signal) }
  }

  /// The signals of a failed check in Swift code. At such an instruction, the memory is intact.
  private static let traps = [SIGILL, SIGTRAP]

  /// Ends the work of this thread, but not the process: another thread reports the run, and other
  /// tests continue. Returns if no other thread can.
  static func surviveTrap() {
    interruptions_pause()
    defer { interruptions_continue() }
    guard let world = JobCapture.current, let wake = world.wakeAfterTrap else { return }
    world.markCrashed()
    JobCapture.capturing(for: nil) { _ = wake.signal() }
    while true { pause() }
  }

  /// Prints the seed and the path of a run whose thread is blocked.
  static func reportBlocked(_ world: SimulatedWorldCore) {
    let writer = Writer()
    let text =
      "\nsimulation: \(world.name(of: world.running)) has blocked its thread for \(world.limits.blocking) seconds in "
    for byte in text.utf8 { writer.write(byte) }
    report(world, writer)
  }

  private static func report(_ world: SimulatedWorldCore, _ writer: Writer) {
    if let seed = world.seed {
      writer.write("seed ")
      writer.write(seed)
      writer.write(", ")
    }
    writer.write("step ")
    writer.write(UInt64(world.steps))
    writer.write(".\nreplay: path:")
    var separator: StaticString = ""
    if !world.interruptsAfterCalls {
      writer.write("coarse")
      separator = ","
    }
    for index in world.choices.indices where world.choices[index].chosen != 0 {
      writer.write(separator)
      writer.write(UInt64(index))
      writer.write("=")
      writer.write(UInt64(world.choices[index].chosen))
      separator = ","
    }
    for task in world.omitted {
      writer.write(separator)
      writer.write("-")
      writer.write(UInt64(task))
      separator = ","
    }
    writer.write("\nTo replay it, set ")
    writer.write(ReplayVariable.name)
    writer.write(" to the path or the seed, and run the test again.\n\n")
  }

  /// Writes to standard error, without allocating.
  private struct Writer {
    func write(_ text: StaticString) {
      unsafe _ = Foundation.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }

    func write(_ byte: UInt8) {
      var byte = byte
      unsafe _ = Foundation.write(STDERR_FILENO, &byte, 1)
    }

    func write(_ number: UInt64) {
      var divisor: UInt64 = 1
      while number / divisor >= 10 { divisor *= 10 }
      while divisor > 0 {
        write(UInt8(ascii: "0") + UInt8(number / divisor % 10))
        divisor /= 10
      }
    }
  }
}

private typealias SignalAction = sigaction
