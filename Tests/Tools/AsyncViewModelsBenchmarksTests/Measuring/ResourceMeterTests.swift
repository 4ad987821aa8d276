import Testing

@testable import AsyncViewModelsBenchmarkHarness

#if os(Linux)
  @Suite(.timeLimit(.minutes(5)), .serialized)
  struct ResourceMeterTests {
    /// Runs in its own process, because the meter would also measure other tests.
    @Test("the measured memory is the peak, which includes memory that is already freed")
    func peak() async {
      await #expect(processExitsWith: .success) {
        let meter = ResourceMeter()
        let bytes = 64_000_000
        _ = unsafe [UInt8](unsafeUninitializedCapacity: bytes) { buffer, count in
          unsafe buffer.initialize(repeating: 1)
          count = bytes
        }
        let memory = try #require(meter.footprint().memory)
        try #require(memory > 60_000_000)
      }
    }

    @Test("the meter counts the thread that does the work")
    func threads() throws {
      let meter = ResourceMeter()
      var sum = 0
      for value in 0..<100_000 {
        sum &+= value
        blackHole(sum)
      }
      #expect(try #require(meter.footprint().threads) >= 1)
    }

    @Test("the maximum of two footprints has the largest known value of each resource")
    func maximum() {
      var footprint = Footprint(memory: 5, threads: nil)
      footprint.formMaximum(Footprint(memory: 3, threads: 2))
      #expect(footprint == Footprint(memory: 5, threads: 2))
    }
  }
#endif
