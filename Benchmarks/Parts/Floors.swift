import Dispatch
import Synchronization

/// What nothing built on the same runtime can undercut.
enum Floors {
  static var groups: [BenchmarkGroup] {
    [
      BenchmarkGroup(
        section: "Floors", title: "lock, store, unlock", unit: "store", reference: mutex,
        benchmarks: [
          lockAndStore
        ]),
      BenchmarkGroup(
        section: "Floors", title: "from one task to another and back", unit: "round trip", reference: handOff,
        benchmarks: [
          handOffs
        ]),
    ]
  }

  static let mutex = "bare Mutex"
  static let handOff = "raw continuation"

  /// One uncontended lock around one store.
  static var lockAndStore: Benchmark {
    Benchmark(mutex, subject: { LockedValue() }) { locked, iterations in
      for value in 0..<iterations { locked.store(value) }
      blackHole(locked.value)
      return iterations
    }
  }

  /// Two tasks that hand a number to and fro.
  static var handOffs: Benchmark {
    Benchmark(handOff) {
      let (ping, pong) = (HandOff(), HandOff())
      let partner = Task {
        while case let value = await ping.take(), value >= 0 { pong.put(value) }
      }
      return Workload(
        run: { iterations in
          for value in 0..<iterations {
            ping.put(value)
            blackHole(await pong.take())
          }
          return iterations
        },
        tearDown: {
          ping.put(-1)
          await partner.value
        })
    }
  }

  private final class LockedValue: Sendable {
    private let guarded = Mutex(0)

    var value: Int { guarded.withLock { $0 } }

    func store(_ value: Int) { guarded.withLock { $0 = value } }
  }
}
