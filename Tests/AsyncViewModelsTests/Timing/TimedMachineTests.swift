import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels

@Suite("Debounce and throttle: state machines", .timeLimit(.minutes(5)), .endsWaits)
struct TimedMachineTests {
  /// The arrival times of 5,000 elements `0, 1, 2, …`, with random gaps of 1 to 20 seconds.
  private static let arrivals: [Int] = {
    var generator = SplitMix(state: 42)
    return (0..<5_000).reduce(into: [Int]()) { times, _ in
      times.append((times.last ?? 0) + Int.random(in: 1...20, using: &generator))
    }
  }()

  @Test("debounce emits exactly the elements followed by a quiet interval", arguments: [1, 5, 10, 19])
  func debounceAgainstDefinition(interval: Int) {
    var expected: [Emission] = []
    for (index, time) in Self.arrivals.enumerated() {
      let next = index + 1 < Self.arrivals.count ? Self.arrivals[index + 1] : .max
      if next - time >= interval { expected.append(Emission(element: index, time: time + interval)) }
    }
    #expect(run(DebounceMachine(interval: .seconds(interval))) == expected)
  }

  @Test(
    "throttle keeps the interval and the order, and emits the first and the last element",
    arguments: [5, 10, 40])
  func throttleInvariants(interval: Int) {
    let emissions = run(ThrottleMachine(interval: .seconds(interval)))
    for (earlier, later) in zip(emissions, emissions.dropFirst()) {
      #expect(earlier.element < later.element)
      #expect(later.time - earlier.time >= interval)
    }
    for emission in emissions { #expect(emission.time - Self.arrivals[emission.element] <= interval) }
    #expect(emissions.first == Emission(element: 0, time: Self.arrivals[0]))
    #expect(emissions.last?.element == Self.arrivals.count - 1)
  }

  @Test("if the timer is late, the due element is emitted when the next one arrives")
  func lateTimer() {
    var debounce = DebounceMachine<Int>(interval: .seconds(2))
    #expect(debounce.receive(1, at: .seconds(0)) == nil)
    #expect(debounce.receive(2, at: .seconds(1)) == nil)
    #expect(debounce.receive(3, at: .seconds(3)) == 2)
    #expect(debounce.deadline == .seconds(5))
    #expect(debounce.wake(at: .seconds(3)) == nil)
    #expect(debounce.wake(at: .seconds(5)) == 3)

    var throttle = ThrottleMachine<Int>(interval: .seconds(2))
    #expect(throttle.receive(1, at: .seconds(0)) == 1)
    #expect(throttle.receive(2, at: .seconds(1)) == nil)
    #expect(throttle.receive(3, at: .seconds(2)) == 2)
    #expect(throttle.deadline == .seconds(4))
    #expect(throttle.wake(at: .seconds(4)) == 3)
  }

  @Test("finish() returns the pending element and keeps nothing")
  func finishEmpties() {
    var debounce = DebounceMachine<Int>(interval: .seconds(1))
    var throttle = ThrottleMachine<Int>(interval: .seconds(1))
    #expect(debounce.receive(1, at: .zero) == nil)
    #expect(throttle.receive(0, at: .zero) == 0)
    #expect(throttle.receive(1, at: .zero) == nil)
    #expect(debounce.finish() == 1)
    #expect(throttle.finish() == 1)
    #expect(debounce.finish() == nil && debounce.deadline == nil)
    #expect(throttle.finish() == nil && throttle.deadline == nil)
  }

  private struct Emission: Equatable {
    let element: Int
    let time: Int
  }

  /// Drives a machine as `TimedStorage` does, with a timer that is never late, until no element is pending.
  private func run<Machine: TimedMachine>(_ machine: Machine) -> [Emission] where Machine.Element == Int {
    var machine = machine
    var emissions: [Emission] = []
    func wake(until limit: Duration) {
      while let deadline = machine.deadline, deadline <= limit {
        guard let element = machine.wake(at: deadline) else { continue }
        emissions.append(Emission(element: element, time: Int(deadline.components.seconds)))
      }
    }
    for (element, time) in Self.arrivals.enumerated() {
      wake(until: .seconds(time))
      if let element = machine.receive(element, at: .seconds(time)) {
        emissions.append(Emission(element: element, time: time))
      }
    }
    wake(until: .seconds(Int64.max))
    return emissions
  }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
