import AsyncViewModelsSimulation

#if !canImport(Darwin)
  import Dispatch
  import Foundation

  /// What this module reads from the objects of libdispatch, because no function returns it.
  enum QueueLayout {
    private typealias Create = @convention(c) (UnsafePointer<CChar>?, UInt, UInt) -> UInt
    private typealias CreateBlock = @convention(c) (UInt, @escaping Block) -> UInt
    private typealias Name = @convention(c) (UInt) -> UnsafePointer<CChar>?

    private static let targetOffset = 24
    private static let stateOffset = 56
    private static let widthOffset = 80
    private static let invokeOffset = 16
    private static let blockDescriptorOffset = 24
    private static let blockSizeOffset = 8
    private static let capturedOffset = 32
    private static let blockFlagsOffset = 40
    /// The bits of the state that are set while an object is suspended or inactive.
    private static let suspensionBits: UInt64 = 0xFF80_0000_0000_0000

    private static let label = unsafe LibDispatch.function("dispatch_queue_get_label", as: Name.self)
    private static let mainQueue = unsafe UInt(bitPattern: dlsym(nil, "_dispatch_main_q"))

    /// The function that runs the blocks of work items.
    private static let workItemFunction: UInt = {
      let create = LibDispatch.function("dispatch_block_create", as: CreateBlock.self)
      let item = create(1, {})
      check(word(at: item, blockFlagsOffset) == 1, "the flags of a work item")
      return UInt(word(at: item, invokeOffset))
    }()

    /// Checks the offsets with new queues, once.
    private static let isKnown: Bool = {
      let create = unsafe LibDispatch.function("dispatch_queue_create_with_target", as: Create.self)
      let concurrent = unsafe UInt(bitPattern: dlsym(nil, "_dispatch_queue_attr_concurrent"))
      let serialQueue = create(nil, 0, 0)
      let concurrentQueue = create(nil, concurrent, serialQueue)
      check(width(of: serialQueue) == 1, "the width of a serial queue")
      check(width(of: concurrentQueue) > 1, "the width of a concurrent queue")
      check(word(at: concurrentQueue, targetOffset) == UInt64(serialQueue), "the target of a queue")
      check(word(at: serialQueue, stateOffset) & suspensionBits == 0, "the state of a queue")
      LibDispatch.suspend(serialQueue)
      check(word(at: serialQueue, stateOffset) & suspensionBits != 0, "the state of a suspended queue")
      LibDispatch.resume(serialQueue)
      LibDispatch.release(concurrentQueue)
      LibDispatch.release(serialQueue)
      return true
    }()

    private static func check(_ condition: Bool, _ what: String) {
      precondition(condition, "SimulatedQueues: this version of libdispatch stores \(what) elsewhere")
    }

    private static func word(at address: UInt, _ offset: Int) -> UInt64 {
      guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return 0 }
      return unsafe pointer.load(fromByteOffset: offset, as: UInt64.self)
    }

    private static func width(of queue: UInt) -> UInt16 {
      UInt16(truncatingIfNeeded: word(at: queue, widthOffset))
    }

    static func isSuspended(_ object: UInt) -> Bool { word(at: object, stateOffset) & suspensionBits != 0 }

    /// Whether the block belongs to a work item with the flag `barrier`.
    static func isBarrier(_ block: @escaping Block) -> Bool {
      let address = unsafe unsafeBitCast(block, to: UInt.self)
      guard word(at: address, invokeOffset) == UInt64(workItemFunction) else { return false }
      return word(at: address, blockFlagsOffset) & 1 != 0
    }

    /// The address of the Swift function that a block calls, or another number if it calls none.
    static func function(of block: @escaping Block) -> UInt {
      let address = unsafe unsafeBitCast(block, to: UInt.self)
      let size = word(at: UInt(word(at: address, blockDescriptorOffset)), blockSizeOffset)
      // A block without captured values is the function.
      return UInt(word(at: address, size > capturedOffset ? capturedOffset : invokeOffset))
    }

    static func label(of queue: UInt) -> String {
      unsafe label(queue).map { unsafe String(cString: $0) } ?? ""
    }

    static func kind(of queue: UInt) -> SimulatedQueue.Kind {
      if queue == mainQueue { return .main }
      if label(of: queue).hasPrefix("com.apple.root.") { return .global }
      _ = isKnown
      return width(of: queue) == 1 ? .serial : .concurrent
    }

    /// The serial queue that runs the blocks of a queue, or nil if a global queue runs them.
    static func target(of queue: UInt) -> UInt? {
      let target = UInt(word(at: queue, targetOffset))
      guard target != 0 else { return nil }
      return switch kind(of: target) {
      case .global: nil
      case .concurrent: self.target(of: target)
      case .main, .serial: target
      }
    }
  }
#endif
