import AsyncViewModels
import Foundation

extension StressProgram {
  static var navigation: [StressProgram] {
    [
      StressProgram(
        name: "navigation-moves",
        summary: "every screen that a task pushes is popped once or is still in the path",
        run: moves),
      StressProgram(
        name: "navigation-paths",
        summary: "observers come and go, see the newest path, and end when the model is released",
        run: paths),
      StressProgram(
        name: "navigation-links", summary: "deep links and restored data replace the whole path", run: links),
    ]
  }

  private struct Route: Hashable, Codable, Sendable {
    let task: Int
    let name: String

    init(_ task: Int, _ number: Int) {
      self.task = task
      name = "the screen with the number \(number)"
    }
  }

  private static let numbers = DeepLinkParser<Route>(scheme: "App", host: "numbers") {
    components throws(DeepLinkParserError) in
    var routes: [Route] = []
    for component in components {
      guard let number = Int(component) else { throw .component(component) }
      guard number > 0 else { throw .id(component, of: "number") }
      routes.append(Route(0, number))
    }
    return routes
  }

  private static func moves(load: Load) async throws {
    let shared = SharedNavigation()
    let rounds = 60_000 / load.tasks
    try await load.inParallel { task in
      for round in 0..<rounds {
        shared.popped.add(shared.move(to: QueryingRoute(shared), round))
        if round % 16 == 0 { await Task.yield() }
      }
    }
    try expectEqual(
      shared.popped.value + shared.model.path.routes.count, rounds * load.tasks,
      "popped screens plus screens in the path")
    shared.model.popToRoot()
    try expectEqual(shared.live.value, 0, "live routes")
    try shared.checkErrors()
  }

  private static func paths(load: Load) async throws {
    for _ in 0..<40 {
      var model: NavigationModel? = NavigationModel(links: numbers, path: RoutePath([Route(0, 0)]))
      let last = Route(-1, 1)
      let readers = [model!.paths(), model!.paths(), model!.paths()].map { stream in
        Task {
          var (before, count) = (RoutePath<Route>?.none, 0)
          for await path in stream {
            try expect(path != before, "received the same path twice: \(path)")
            (before, count) = (path, count + 1)
          }
          try expectEqual(before?.top, last, "the last path that an observer received")
        }
      }
      try await load.inParallel { [model] task in
        for round in 0..<(2_000 / load.tasks) {
          model?.push(Route(task, round))
          if round % 8 == 0 { try await readFirstPath(of: model) }
          _ = try? model?.pop()
        }
      }
      model?.push(last)
      weak let releasedModel = model
      model = nil
      await until { releasedModel == nil }
      for reader in readers { try await reader.value }
    }
  }

  /// Observes the paths and leaves after the first path.
  private static func readFirstPath(of model: NavigationModel<Route>?) async throws {
    guard let stream = model?.paths() else { return }
    for await path in stream {
      try expect(!path.routes.isEmpty, "an observer received an empty path, which the model never had")
      return
    }
  }

  private static func links(load: Load) async throws {
    let model = NavigationModel(links: numbers)
    let known = Set((0..<5).map { count in RoutePath((0..<count).map { Route(0, $0 + 1) }) })
    try await load.inParallel { task in
      for round in 0..<(8_000 / load.tasks) {
        let path = model.path
        if (round + task) % 2 == 0 {
          try model.open(link(to: round % 5))
        } else {
          model.replacePath(with: path)
        }
        try expect(known.contains(model.path), "a path that was never requested: \(model.path)")
        if round % 16 == 0 { await Task.yield() }
      }
    }
    try expectError(.scheme("https")) { () throws(DeepLinkParserError) in
      try model.open(URL(string: "https://numbers/1")!)
    }
  }

  private static func link(to count: Int) -> URL {
    URL(string: "app://NUMBERS/" + (0..<count).map { "\($0 + 1)" }.joined(separator: "/") + "?query#part")!
  }
}
