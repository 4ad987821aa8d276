import AsyncViewModelsGCD

extension StressProgram {
  static var diagnostics: [StressProgram] {
    [
      StressProgram(
        name: "live-objects",
        summary: "a release build does not count live objects and has no cost; a debug build counts exactly",
        run: liveObjects)
    ]
  }

  private static func liveObjects(load: Load) async throws {
    if !LiveObjects.areCounted {
      try expectEqual(MemoryLayout<LiveObjectToken>.size, 0, "the size of a token")
    }
    let names = Tally()
    try await load.inParallel { task in
      for round in 1...900 {
        try await LiveObjects.scoped { liveObjects in
          await Task.yield()
          try expect(LiveObjects.current === liveObjects, "LiveObjects.current is not the one of the scope")
          try expectLiveObjects(in: liveObjects, names)
          if round % 16 == 0 { await Task.yield() }
          try LiveObjects.scoped { inner in
            try expectLiveObjects(in: inner, names)
            try expect(LiveObjects.current === inner, "LiveObjects.current is the one of the outer scope")
          }
          try await expectTaskCounts(in: liveObjects)
        }
        try expect(
          LiveObjects.current === LiveObjects.process,
          "the LiveObjects of the scope is still current after the scope")
      }
    }
    try expectEqual(names.value, LiveObjects.areCounted ? 4 * 900 * load.tasks : 0, "computed names")
    await until { LiveObjects.process.count.isEmpty }
    try expectEqual(LiveObjects.process.count, LiveObjectCount(), "live objects at the end")
  }

  private static func expectLiveObjects(in liveObjects: LiveObjects, _ names: Tally) throws(Unexpected) {
    let before = liveObjects.count
    let (model, task) = (
      LiveObjectToken(.viewModel, name("Model", names)), LiveObjectToken(.task, name("upload", names))
    )
    let copy = task
    let live = liveObjects.count.subtracting(before)
    for kind in LiveObjectCount.Kind.allCases {
      try expectEqual(
        live[kind], LiveObjects.areCounted && kind != .observer ? 1 : 0, "live objects of kind \(kind)")
    }
    try expectEqual(
      live[.task, "upload"], LiveObjects.areCounted ? 1 : 0, "live tasks with the name upload")
    try expectEqual(
      live.names(of: .viewModel), LiveObjects.areCounted ? ["Model"] : [], "the names of live view models")
    let text = LiveObjects.areCounted ? "1 view model: Model · 1 task: upload" : "nothing"
    try expectEqual(live.description, text, "the description of the count")
    try expectEqual(live.isEmpty, !LiveObjects.areCounted, "isEmpty")
    model.end()
    task.end()
    copy.end()
    try expectEqual(liveObjects.count, before, "the count after the tokens ended")
  }

  private static func name(_ name: String, _ names: Tally) -> String {
    names.add()
    return name
  }

  /// Checks that the tasks and observers of the toolkit also count as live objects until they have ended.
  private static func expectTaskCounts(in liveObjects: LiveObjects) async throws {
    let state = CallbackState(0)
    let token = state.bind(on: .global()) { _ in }
    try expectEqual(liveObjects.count[.observer], LiveObjects.areCounted ? 1 : 0, "live observers")
    token.cancel()
    _ = try await withDeadline(.seconds(3_600)) { 1 }
    await until { liveObjects.count[.task] == 0 }
  }
}
