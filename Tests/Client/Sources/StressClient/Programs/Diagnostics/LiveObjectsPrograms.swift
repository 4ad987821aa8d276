import Domain

extension StressProgram {
  static var diagnostics: [StressProgram] {
    [
      StressProgram(
        name: "census",
        summary: "a release build counts nothing and pays nothing; a debug build counts exactly",
        run: liveObject)
    ]
  }

  private static func liveObject(load: Load) async throws {
    if !LiveObjects.isTaken { try expectEqual(MemoryLayout<LiveObjectToken>.size, 0, "the size of an entry") }
    let names = Tally()
    try await load.inParallel { task in
      for round in 1...900 {
        try await LiveObjects.scoped { liveObject in
          await Task.yield()
          try expect(LiveObjects.current === liveObject, "the current census is another one")
          try expectLiving(in: liveObject, names)
          if round % 16 == 0 { await Task.yield() }
          try LiveObjects.scoped { inner in
            try expectLiving(in: inner, names)
            try expect(LiveObjects.current === inner, "the current census is that around it")
          }
          try await expectTaskCounts(in: liveObject)
        }
        try expect(LiveObjects.current === LiveObjects.process, "a census goes on after its scope")
      }
    }
    try expectEqual(names.value, LiveObjects.isTaken ? 4 * 900 * load.tasks : 0, "names that were computed")
    await until { LiveObjects.process.count.isEmpty }
    try expectEqual(LiveObjects.process.count, LiveObjectCount(), "what is left")
  }

  private static func expectLiving(in liveObject: LiveObjects, _ names: Tally) throws(Unexpected) {
    let before = liveObject.count
    let (model, task) = (
      LiveObjectToken(.viewModel, name("Model", names)), LiveObjectToken(.task, name("upload", names))
    )
    let copy = task
    let living = liveObject.count.beyond(before)
    for kind in LiveObjectCount.Kind.allCases {
      try expectEqual(living[kind], LiveObjects.isTaken && kind != .observer ? 1 : 0, "what lives of \(kind)")
    }
    try expectEqual(living[.task, "upload"], LiveObjects.isTaken ? 1 : 0, "uploads")
    try expectEqual(
      living.names(of: .viewModel), LiveObjects.isTaken ? ["Model"] : [], "the names of view models")
    let text = LiveObjects.isTaken ? "1 view model: Model · 1 task: upload" : "nothing"
    try expectEqual(living.description, text, "the description of a count")
    try expectEqual(living.isEmpty, !LiveObjects.isTaken, "whether nothing lives")
    model.end()
    task.end()
    copy.end()
    try expectEqual(liveObject.count, before, "what lives afterwards")
  }

  private static func name(_ name: String, _ names: Tally) -> String {
    names.add()
    return name
  }

  /// The library's own tasks and observers are counted, too, until they have ended.
  private static func expectTaskCounts(in liveObject: LiveObjects) async throws {
    let bindable = CallbackState(0)
    let token = bindable.bind(on: .global()) { _ in }
    try expectEqual(liveObject.count[.observer], LiveObjects.isTaken ? 1 : 0, "observers")
    token.cancel()
    _ = try await withDeadline(.seconds(3_600)) { 1 }
    await until { liveObject.count[.task] == 0 }
  }
}
