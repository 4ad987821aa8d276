#if os(macOS)
  // Unsafe only because Darwin declares `mach_task_self_` as a variable. The process never changes it.
  @preconcurrency @unsafe import Darwin

  /// What the Mach kernel says about this process.
  enum TaskInfo {
    /// Bytes of memory that are charged to this process.
    static var physicalFootprint: Int? {
      var info = task_vm_info_data_t()
      let size = MemoryLayout<task_vm_info_data_t>.stride / MemoryLayout<natural_t>.stride
      var count = mach_msg_type_number_t(size)
      let status = unsafe withUnsafeMutablePointer(to: &info) { pointer in
        unsafe pointer.withMemoryRebound(to: integer_t.self, capacity: size) { words in
          unsafe task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), words, &count)
        }
      }
      return status == KERN_SUCCESS ? Int(info.phys_footprint) : nil
    }

    /// The number of threads that are alive.
    static var threadCount: Int? {
      var threads: thread_act_array_t?
      var count: mach_msg_type_number_t = 0
      guard unsafe task_threads(mach_task_self_, &threads, &count) == KERN_SUCCESS, let list = unsafe threads
      else { return nil }
      for index in 0..<Int(count) { unsafe mach_port_deallocate(mach_task_self_, list[index]) }
      let size = vm_size_t(Int(count) * MemoryLayout<thread_t>.stride)
      vm_deallocate(mach_task_self_, vm_address_t(UInt(bitPattern: list)), size)
      return Int(count)
    }
  }
#endif
