import AsyncViewModelsSimulation

#if !canImport(Darwin)
  import AsyncViewModelsTesting
  import Foundation

  /// A block of libdispatch.
  public typealias Block = @convention(block) () -> Void

  /// The original functions of libdispatch, which this module replaces.
  enum LibDispatch {
    typealias Submission = @convention(c) (UInt, Block) -> Void
    typealias Delayed = @convention(c) (UInt64, UInt, Block) -> Void
    typealias Grouped = @convention(c) (UInt, UInt, Block) -> Void
    typealias Operation = @convention(c) (UInt) -> Void
    typealias Name = @convention(c) (UInt) -> UnsafePointer<CChar>?

    static let async = function("dispatch_async", as: Submission.self)
    static let sync = function("dispatch_sync", as: Submission.self)
    static let after = function("dispatch_after", as: Delayed.self)
    static let groupAsync = function("dispatch_group_async", as: Grouped.self)
    static let groupNotify = function("dispatch_group_notify", as: Grouped.self)
    static let groupEnter = function("dispatch_group_enter", as: Operation.self)
    static let groupLeave = function("dispatch_group_leave", as: Operation.self)
    static let retain = function("dispatch_retain", as: Operation.self)
    static let release = function("dispatch_release", as: Operation.self)
    private static let label = unsafe function("dispatch_queue_get_label", as: Name.self)
    private static let mainQueue = unsafe UInt(bitPattern: dlsym(nil, "_dispatch_main_q"))

    /// Returns the original function. If a sanitizer also replaces it, returns the function of the sanitizer, which must
    /// see the calls.
    private static func function<Function>(_ name: String, as type: Function.Type) -> Function {
      let next = unsafe UnsafeMutableRawPointer(bitPattern: -1)
      guard let symbol = unsafe dlsym(nil, "__interceptor_\(name)") ?? dlsym(next, name) else {
        preconditionFailure("SimulatedQueues: libdispatch has no \(name)")
      }
      return unsafe unsafeBitCast(symbol, to: type)
    }

    /// Runs a block on this thread, which owns the queue while the block runs. The main queue belongs to another
    /// thread, so this thread runs blocks of the main queue without owning it.
    static func run(_ block: Block, on queue: UInt) {
      if queue == mainQueue { block() } else { sync(queue, block) }
    }

    /// The label prefixes of the queues that Foundation creates for URL sessions and their tasks.
    private static let sessionLabels = ["URLSession<", "org.swift.URLSession"]

    static func identity(of queue: UInt) -> DispatchQueueIdentity {
      let label = unsafe label(queue).map { unsafe String(cString: $0) } ?? ""
      return DispatchQueueIdentity(
        address: queue, isConcurrent: label.hasPrefix("com.apple.root."), isMain: queue == mainQueue,
        belongsToURLSession: sessionLabels.contains { label.hasPrefix($0) },
        label: { label }, retain: { retain(queue) }, release: { release(queue) })
    }

    /// A closure that runs the block on its queue. It retains the queue until the block has run.
    static func job(_ block: @escaping Block, on queue: UInt) -> () -> Void {
      retain(queue)
      return {
        run(block, on: queue)
        release(queue)
      }
    }
  }
#endif
