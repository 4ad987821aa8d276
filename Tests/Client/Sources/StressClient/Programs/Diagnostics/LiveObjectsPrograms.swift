import AsyncViewModels

extension StressProgram {
  static var diagnostics: [StressProgram] {
    [
      StressProgram(
        name: "census",
        summary: "a release build counts nothing and pays nothing; a debug build counts exactly",
        run: liveObjects)
    ]
  }

  private static func liveObjects(load: Load) async throws {
    if !LiveObjects.areCounted { try expectEqual(MemoryLayout<LiveObjectToken>.size, 0, "the size of an entry") }
    let names = Tally()
    try await load.inParallel { task in
      for round in 1...900 {
        try await LiveObjects.scoped { liveObjects in
          await Task.yield()
          try expect(LiveObjects.current === liveObjects, "the current census is another one")
          try expectLiving(in: liveObjects, names)
          if round % 16 == 0 { await Task.yield() }
          try LiveObjects.scoped { inner in
            try expectLiving(in: inner, names)
            try expect(LiveObjects.current === inner, "the current census is that around it")
          }
          try await expectTaskCounts(in: liveObjects)
        }
        try expect(LiveObjects.current === LiveObjects.process, "a census goes on after its scope")
      }
    }
    try expectEqual(names.value, LiveObjects.areCounted ? 4 * 900 * load.tasks : 0, "names that were computed")
    await until { LiveObjects.process.count.isEmpty }
    try expectEqual(LiveObjects.process.count, LiveObjectCount(), "what is left")
  }

  private static func expectLiving(in liveObjects: LiveObjects, _ names: Tally) throws(Unexpected) {
    let before = liveObjects.count
    let (model, task) = (
      LiveObjectToken(.viewModel, name("Model", names)), LiveObjectToken(.task, name("upload", names))
    )
    let copy = task
    let living = liveObjects.count.beyond(before)
    for kind in LiveObjectCount.Kind.allCases {
      try expectEqual(living[kind], LiveObjects.areCounted && kind != .observer ? 1 : 0, "what lives of \(kind)")
    }
    try expectEqual(living[.task, "upload"], LiveObjects.areCounted ? 1 : 0, "uploads")
    try expectEqual(
      living.names(of: .viewModel), LiveObjects.areCounted ? ["Model"] : [], "the names of view models")
    let text = LiveObjects.areCounted ? "1 view model: Model · 1 task: upload" : "nothing"
    try expectEqual(living.description, text, "the description of a count")
    try expectEqual(living.isEmpty, !LiveObjects.areCounted, "whether nothing lives")
    model.end()
    task.end()
    copy.end()
    try expectEqual(liveObjects.count, before, "what lives afterwards")
  }

  private static func name(_ name: String, _ names: Tally) -> String {
    names.add()
    return name
  }

  /// The library's own tasks and observers are counted, too, until they have ended.
  private static func expectTaskCounts(in liveObjects: LiveObjects) async throws {
    let bindable = CallbackState(0)
    let token = bindable.bind(on: .global()) { _ in }
    try expectEqual(liveObjects.count[.observer], LiveObjects.areCounted ? 1 : 0, "observers")
    token.cancel()
    _ = try await withDeadline(.seconds(3_600)) { 1 }
    await until { liveObjects.count[.task] == 0 }
  }
}
