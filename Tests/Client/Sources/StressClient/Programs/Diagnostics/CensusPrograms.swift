import Domain

extension StressProgram {
  static var diagnostics: [StressProgram] {
    [
      StressProgram(
        name: "census",
        summary: "a release build counts nothing and pays nothing; a debug build counts exactly",
        run: census)
    ]
  }

  private static func census(load: Load) async throws {
    if !Census.isTaken { try expectEqual(MemoryLayout<CensusEntry>.size, 0, "the size of an entry") }
    let names = Tally()
    try await load.inParallel { task in
      for round in 1...900 {
        try await Census.scoped { census in
          await Task.yield()
          try expect(Census.current === census, "the current census is another one")
          try expectLiving(in: census, names)
          if round % 16 == 0 { await Task.yield() }
          try Census.scoped { inner in
            try expectLiving(in: inner, names)
            try expect(Census.current === inner, "the current census is that around it")
          }
          try await expectTaskCounts(in: census)
        }
        try expect(Census.current === Census.process, "a census goes on after its scope")
      }
    }
    try expectEqual(names.value, Census.isTaken ? 4 * 900 * load.tasks : 0, "names that were computed")
    await until { Census.process.count.isEmpty }
    try expectEqual(Census.process.count, CensusCount(), "what is left")
  }

  private static func expectLiving(in census: Census, _ names: Tally) throws(Unexpected) {
    let before = census.count
    let (model, task) = (
      CensusEntry(.viewModel, name("Model", names)), CensusEntry(.task, name("upload", names))
    )
    let copy = task
    let living = census.count.beyond(before)
    for kind in CensusCount.Kind.allCases {
      try expectEqual(living[kind], Census.isTaken && kind != .observer ? 1 : 0, "what lives of \(kind)")
    }
    try expectEqual(living[.task, "upload"], Census.isTaken ? 1 : 0, "uploads")
    try expectEqual(living.names(of: .viewModel), Census.isTaken ? ["Model"] : [], "the names of view models")
    let text = Census.isTaken ? "1 view model: Model · 1 task: upload" : "nothing"
    try expectEqual(living.description, text, "the description of a count")
    try expectEqual(living.isEmpty, !Census.isTaken, "whether nothing lives")
    model.end()
    task.end()
    copy.end()
    try expectEqual(census.count, before, "what lives afterwards")
  }

  private static func name(_ name: String, _ names: Tally) -> String {
    names.add()
    return name
  }

  /// The library's own tasks and observers are counted, too, until they have ended.
  private static func expectTaskCounts(in census: Census) async throws {
    let bindable = Bindable(0)
    let token = bindable.bind(on: .global()) { _ in }
    try expectEqual(census.count[.observer], Census.isTaken ? 1 : 0, "observers")
    token.cancel()
    _ = try await withDeadline(.seconds(3_600)) { 1 }
    await until { census.count[.task] == 0 }
  }
}
