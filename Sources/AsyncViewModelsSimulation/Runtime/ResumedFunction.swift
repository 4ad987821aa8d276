internal import AsyncViewModelsRuntimeHooks
import Foundation
import Synchronization

/// Names the code that a step runs, for the report of a failing run.
enum ResumedFunction {
  /// What a report says about the code at an address.
  fileprivate enum Code {
    case app(String)
    /// A function of the toolkit.
    case toolkit(String)
    /// The Swift runtime or a library of the system.
    case runtime
    /// Code that the compiler adds, which calls other code.
    case thunk
    /// The simulator, the test kit, or code of a stripped program: for them, the app may run.
    case unknown

    var name: String? {
      switch self {
      case .app(let name), .toolkit(let name): name
      case .runtime, .thunk, .unknown: nil
      }
    }
  }

  /// The code at an address.
  private static let codes = UninterruptedMutex<[UInt: Code]>([:])

  /// Whether ``HookCheck`` has found the functions of its tasks. Without them, no task is read.
  static let isAvailable = Atomic(true)

  /// The code in which a job continues its task, or nil if the job belongs to no task.
  ///
  /// At its start, a task runs the function that was passed to it.
  ///
  /// - Parameter isOnActor: Whether the job runs on an actor of the world.
  static func code(of job: UnownedJob, isOnActor: Bool) -> StepCode? {
    guard MemoryLayout<UInt>.size == 8, isAvailable.load(ordering: .relaxed), JobIdentity(job).task != 0
    else { return nil }
    let task = unsafe unsafeBitCast(job, to: UnsafeRawPointer.self)
    // The function and its context follow the first seven words of a task.
    var function = unsafe task.load(fromByteOffset: 56, as: UInt.self)
    guard unsafe functions_file(UnsafeRawPointer(bitPattern: function)) != nil else { return nil }
    var context = unsafe task.load(fromByteOffset: 64, as: UnsafeRawPointer?.self)
    var stack: [Code] = []
    while let frame = unsafe context {
      guard stack.count < deepestStack, function != 0 else {
        stack.append(.unknown)
        break
      }
      let code = known(at: function)
      stack.append(code)
      // A commit calls a closure of the app, which is not asynchronous.
      if stack.count == 1, isOnActor, case .toolkit(let name) = code, commits.contains(name) {
        return StepCode([.app("a commit of TaskSlot"), code])
      }
      if case .app(let name) = code, !name.hasPrefix(FunctionName.closure) { break }
      // A context begins with the context of the caller, and the function in which the caller
      // continues.
      unsafe context = unsafe frame.load(as: UnsafeRawPointer?.self)
      if unsafe context == nil { unsafe stack.append(entry(of: frame)) }
      function = unsafe frame.load(fromByteOffset: 8, as: UInt.self)
    }
    return StepCode(stack)
  }

  private static let deepestStack = 64
  private static let commits: Set<String> = [
    "CommitGate.end", FunctionName.closure + "TaskSlot.end", FunctionName.closure + "TaskSlot.load",
  ]

  /// The function that was passed to a task. It and its captured values precede the first context
  /// of the task.
  private static func entry(of context: UnsafeRawPointer) -> Code {
    var function = unsafe context.load(fromByteOffset: -24, as: UInt.self)
    var captured = unsafe context.load(fromByteOffset: -16, as: UnsafeRawPointer?.self)
    for _ in 1...deepestThunk {
      let code = known(at: function)
      guard case .thunk = code else { return code }
      guard isProgram(function), let values = unsafe captured, let next = unsafe capturedFunction(in: values)
      else { return .unknown }
      function = next.function
      unsafe captured = unsafe values.load(fromByteOffset: next.offset + 8, as: UnsafeRawPointer?.self)
    }
    return .unknown
  }

  /// The async function that a thunk has captured. It follows the header of the object, and up to
  /// three words: an isolation, or types.
  private static func capturedFunction(in values: UnsafeRawPointer) -> (function: UInt, offset: Int)? {
    for offset in stride(from: 16, through: 40, by: 8) {
      guard unsafe functions_can_read(values, offset + 16) else { return nil }
      let address = unsafe values.load(fromByteOffset: offset, as: UInt.self)
      guard isProgram(address), address.isMultiple(of: 4),
        let pointer = unsafe UnsafePointer<Int32>(bitPattern: address)
      else { continue }
      // A pointer to an async function points to the distance to its code, and to the size of its
      // context.
      let (distance, size) = unsafe (pointer[0], pointer[1])
      let function = UInt(bitPattern: Int(bitPattern: address) + Int(distance))
      if (1...1 << 20).contains(size), size.isMultiple(of: 16), isProgram(function) {
        return (function, offset)
      }
    }
    return nil
  }

  private static let deepestThunk = 4

  private static func isProgram(_ address: UInt) -> Bool {
    unsafe callers_is_program(UnsafeRawPointer(bitPattern: address))
  }

  /// The function that contains an address.
  static func code(at address: UInt) -> StepCode { StepCode([known(at: address)]) }

  private static func known(at address: UInt) -> Code {
    if let known = codes.withLock({ $0[address] }) { return known }
    let code = read(at: address)
    codes.withLock { $0[address] = code }
    return code
  }

  private static func read(at address: UInt) -> Code {
    let pointer = unsafe UnsafeRawPointer(bitPattern: address)
    guard let file = unsafe functions_file(pointer) else { return .unknown }
    if isSystem(unsafe String(cString: file)) { return .runtime }
    guard let symbol = unsafe functions_copy_name(pointer) else { return .unknown }
    defer { unsafe free(symbol) }
    guard let text = unsafe runtimeDemangle(symbol, strlen(symbol), nil, nil, 0) else { return .unknown }
    defer { unsafe free(text) }
    let demangled = unsafe String(cString: text)
    guard let module = FunctionName.module(demangled), let name = FunctionName.short(demangled) else {
      return .thunk
    }
    if kitModules.contains(module) { return .unknown }
    if runtimeModules.contains(module) { return .runtime }
    return toolkitModules.contains(module) ? .toolkit(name) : .app(name)
  }

  /// Whether a file is a library of the Swift toolchain or of the system.
  private static func isSystem(_ file: String) -> Bool {
    file.hasPrefix("/System/") || file.hasPrefix("/usr/lib/")
      || systemLibraries.contains { file.split(separator: "/").last?.hasPrefix($0) ?? false }
  }

  private static let systemLibraries = [
    "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime", "libTesting",
    "libXCTest", "libc.", "libstdc++.",
  ]
  private static let runtimeModules: Set<Substring> = [
    "Swift", "_Concurrency", "Synchronization", "Observation", "Dispatch", "Foundation",
    "FoundationEssentials", "Testing", "XCTest",
  ]
  private static let kitModules: Set<Substring> = [
    "AsyncViewModelsSimulation", "AsyncViewModelsVirtualTime", "SimulatedQueues", "AsyncViewModelsTesting",
  ]
  private static let toolkitModules: Set<Substring> = [
    "AsyncViewModels", "AsyncViewModelsGCD", "AsyncViewModelsRequests", "AsyncViewModelsShadow",
    "AsyncViewModelsUI", "ListSnapshots",
  ]

  private typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?

  private static let runtimeDemangle: Demangle = {
    guard let symbol = unsafe Symbols.address(of: "swift_demangle") else { return { _, _, _, _, _ in nil } }
    return unsafe unsafeBitCast(symbol, to: Demangle.self)
  }()
}

extension StepCode {
  /// - Parameter stack: The code on the stack of a task, from the innermost function outward.
  fileprivate init(_ stack: [ResumedFunction.Code]) {
    var app: [String] = []
    var library: String?
    var (isRuntime, isUnknown) = (false, false)
    for code in stack {
      switch code {
      case .app(let name): app.append(name)
      case .toolkit(let name): library = name
      case .runtime: isRuntime = true
      case .thunk: break
      case .unknown: isUnknown = true
      }
    }
    self.init(
      app: Self.innermost(app).reversed(), library: library,
      isLibrary: app.isEmpty && (library != nil || isRuntime && !isUnknown),
      detail: Self.innermost(stack.lazy.compactMap(\.name)).joined(separator: ", called by "))
  }

  /// The innermost function, and its caller if this function is a closure.
  private static func innermost(_ names: some Sequence<String>) -> [String] {
    var result: [String] = []
    for name in names where name != result.last {
      result.append(name)
      if result.count == 2 || !name.hasPrefix(FunctionName.closure) { break }
    }
    return result
  }
}
