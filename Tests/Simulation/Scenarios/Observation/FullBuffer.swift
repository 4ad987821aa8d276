import Domain
import ViewModelTesting

extension Scenario {
  static let fullBuffer = Scenario(
    "observation/full-buffer",
    "A bounded observer keeps to its bound and its end, and what it did not read is counted", tasks: 4
  ) { world in
    let state = ObservableState(0)
    let overflow = world.choose(from: [Buffering.Overflow.oldest, .newest])
    let observer = state.values(.bounded(2, dropping: overflow))
    let seen = EventLog<Int>()
    world.spawn("sender") {
      for value in 1...5 {
        if world.flip() { await Task.yield() }
        state.send(value)
      }
      state.finish()
    }
    var unread = 1
    for _ in 0..<world.choose(3) { await Task.yield() }
    for await value in observer {
      seen.append(value)
      unread = max(unread, seen.values.count)
      if world.flip() { await Task.yield() }
    }
    let values = seen.values
    world.expectEqual(values, values.sorted(), "in order:")
    world.expectEqual(values.count + state.droppedCount, 6, "read or dropped, of 6:")
    if overflow == .oldest { world.expectEqual(values.last, 5, "it ends on the newest:") }
    if overflow == .newest { world.expectEqual(values.first, 0, "it begins at the beginning:") }
    if state.droppedCount == 0 { world.expectEqual(values, Array(0...5)) }
    world.expect(values.count >= 2, "a buffer of two kept only \(values)")
  }
}
