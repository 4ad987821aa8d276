internal import AsyncViewModelsRuntimeHooks
import Foundation

/// Names the code that a step runs, for the report of a failing run.
enum ResumedFunction {
  /// The names that are known, by the address of the code. The name of code without a name for a
  /// reader is nil.
  private static let names = UninterruptedMutex<[UInt: String?]>([:])

  /// The function in which a job continues its task: the innermost one on the stack of the task
  /// that belongs neither to the Swift runtime nor to the simulator, and its caller if this
  /// function is a closure. Nil if it is unknown, as at the start of a task, or if the program is
  /// stripped.
  static func name(of job: UnownedJob) -> String? {
    guard MemoryLayout<UInt>.size == 8, JobIdentity(job).task != 0 else { return nil }
    let task = unsafe unsafeBitCast(job, to: UnsafeRawPointer.self)
    // The function and its context follow the first seven words of a task.
    var function = unsafe task.load(fromByteOffset: 56, as: UInt.self)
    guard unsafe functions_file(UnsafeRawPointer(bitPattern: function)) != nil else { return nil }
    var context = unsafe task.load(fromByteOffset: 64, as: UnsafeRawPointer?.self)
    var closure: String?
    for _ in 1...deepestStack where function != 0 {
      if let name = name(at: function), name != closure {
        if let closure { return "\(closure), called by \(name)" }
        guard name.hasPrefix(FunctionName.closure) else { return name }
        closure = name
      }
      // A context begins with the context of the caller, and the function in which the caller
      // continues.
      function = unsafe context?.load(fromByteOffset: 8, as: UInt.self) ?? 0
      unsafe context = unsafe context?.load(as: UnsafeRawPointer?.self)
    }
    return closure
  }

  private static let deepestStack = 64

  /// The function that contains an address.
  static func name(at address: UInt) -> String? {
    if let known = names.withLock({ $0[address] }) { return known }
    let name = read(at: address)
    names.withLock { $0[address] = .some(name) }
    return name
  }

  private static func read(at address: UInt) -> String? {
    let pointer = unsafe UnsafeRawPointer(bitPattern: address)
    guard let file = unsafe functions_file(pointer), unsafe !isRuntime(String(cString: file)),
      let symbol = unsafe functions_copy_name(pointer)
    else { return nil }
    defer { unsafe free(symbol) }
    return unsafe demangle(symbol).flatMap { FunctionName.short($0) }
  }

  private static func isRuntime(_ file: String) -> Bool {
    file.split(separator: "/").last?.hasPrefix("libswift") ?? false
  }

  /// The demangled name, unless the function belongs to the standard library, the simulator or the
  /// test kit.
  private static func demangle(_ symbol: UnsafePointer<CChar>) -> String? {
    guard let text = unsafe runtimeDemangle(symbol, strlen(symbol), nil, nil, 0) else { return nil }
    defer { unsafe free(text) }
    let (name, mangled) = unsafe (String(cString: text), String(cString: symbol))
    // An extension belongs to its module, and not to that of its type.
    if let module = name.firstMatch(of: #/\(extension in (\w+)\):/#)?.1 {
      return hiddenModules.contains(module) ? nil : name
    }
    return hiddenPrefixes.contains(where: mangled.hasPrefix) ? nil : name
  }

  private static let ownModules = [
    "AsyncViewModelsSimulation", "AsyncViewModelsVirtualTime", "SimulatedQueues", "AsyncViewModelsTesting",
  ]
  private static let hiddenModules = Set((["Swift", "_Concurrency"] + ownModules).map { Substring($0) })
  /// The beginnings of mangled names. A module is preceded by the length of its name.
  private static let hiddenPrefixes = ["$ss", "$sSc"] + ownModules.map { "$s\($0.count)\($0)" }

  private typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?

  private static let runtimeDemangle: Demangle = {
    guard let symbol = unsafe Symbols.address(of: "swift_demangle") else { return { _, _, _, _, _ in nil } }
    return unsafe unsafeBitCast(symbol, to: Demangle.self)
  }()
}
