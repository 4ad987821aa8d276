import AsyncViewModelsSimulation

#if !canImport(Darwin)
  // Replacements of functions that no world simulates. In a world, they fail the run and then do
  // what they always do.

  private enum Original {
    typealias Create = @convention(c) (UInt, Int32, UInt, UInt) -> UInt
    typealias CreateWithPath = @convention(c) (UInt, UnsafePointer<CChar>, Int32, UInt32, UInt, UInt) -> UInt
    typealias Transfer = @convention(c) (Int32, UInt, UInt, UInt) -> Void

    static let create = LibDispatch.function("dispatch_io_create", as: Create.self)
    static let createWithPath = unsafe LibDispatch.function(
      "dispatch_io_create_with_path", as: CreateWithPath.self)
    static let read = LibDispatch.function("dispatch_read", as: Transfer.self)
    static let write = LibDispatch.function("dispatch_write", as: Transfer.self)
  }

  /// Replaces `dispatch_io_create`.
  @_cdecl("dispatch_io_create")
  package func refusedIO(_ type: UInt, _ descriptor: Int32, _ queue: UInt, _ cleanup: UInt) -> UInt {
    SimulatedWorldQueues.current?.markLeft(by: "DispatchIO")
    return Original.create(type, descriptor, queue, cleanup)
  }

  /// Replaces `dispatch_io_create_with_path`.
  @_cdecl("dispatch_io_create_with_path")
  package func refusedIO(
    _ type: UInt, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: UInt32, _ queue: UInt, _ cleanup: UInt
  ) -> UInt {
    SimulatedWorldQueues.current?.markLeft(by: "DispatchIO")
    return unsafe Original.createWithPath(type, path, flags, mode, queue, cleanup)
  }

  /// Replaces `dispatch_read`.
  @_cdecl("dispatch_read")
  package func refusedRead(_ descriptor: Int32, _ length: UInt, _ queue: UInt, _ handler: UInt) {
    SimulatedWorldQueues.current?.markLeft(by: "DispatchIO.read")
    Original.read(descriptor, length, queue, handler)
  }

  /// Replaces `dispatch_write`.
  @_cdecl("dispatch_write")
  package func refusedWrite(_ descriptor: Int32, _ data: UInt, _ queue: UInt, _ handler: UInt) {
    SimulatedWorldQueues.current?.markLeft(by: "DispatchIO.write")
    Original.write(descriptor, data, queue, handler)
  }
#endif
