import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Foundation

extension Scenario {
  static let leftWhilePosting = Scenario(
    "notifications/left-while-posting",
    """
    a stream of notifications yields every notification that is posted after its creation, in order; the \
    registration ends when the stream is cancelled or released
    """, tasks: 2
  ) { world in
    let source = CountingNotificationCenter()
    await read(source, in: world)
    await world.settle()
    world.expectEqual(source.registrationCount, 1, "registrations:")
    world.expectEqual(source.observerCount, 0, "registrations left:")
  }

  private static func read(_ source: CountingNotificationCenter, in world: SimulatedWorld) async {
    let numbers = source.stream(of: .number) { $0.userInfo?["number"] as? Int }
    let seen = EventLog<Int>()
    let enough = world.choose(from: [3, 1])
    let reader = world.spawn("reader") {
      for await number in numbers {
        seen.append(number)
        if seen.values.count == enough { return }
      }
    }
    world.spawn("poster") {
      for number in 1...3 {
        source.center.post(name: .number, object: nil, userInfo: ["number": number])
        await Task.yield()
      }
    }
    let isCancelled = world.flip()
    if isCancelled { world.faults.cancellation(of: reader) }
    await reader.waitForEnd()
    world.expectEqual(seen.values, Array((1...3).prefix(seen.values.count)), "seen:")
    if !isCancelled { world.expectEqual(seen.values.count, enough, "seen in all:") }
  }
}

extension Notification.Name {
  fileprivate static let number = Notification.Name("number")
}
