import Testing

@testable import Audit

@Suite("Project")
struct ProjectTests {
  private func project(_ files: (path: String, text: String)...) -> Project {
    Project(files.map { SourceFile(path: $0.path, text: $0.text) })
  }

  @Test("nested types of one name are several types, and code means its own")
  func nested() throws {
    let project = project(
      (
        "Cart.swift",
        """
        final class Cart { struct State { var items: [Item] = [] }; let state = State() }
        final class Player { final class State { var isPlaying = false } }
        """
      ))
    let cart = try #require(project.type(named: "Cart"))
    let player = try #require(project.type(named: "Player"))
    #expect(project.type(named: "State", in: cart)?.kind == .struct)
    #expect(project.type(named: "State?", in: player)?.kind == .class)
    #expect(project.type(named: "Player.State", in: cart)?.properties.keys.sorted() == ["isPlaying"])
    #expect(project.type(named: "State") == nil)
  }

  @Test(
    "an extension belongs to the type with its path, also after the name of a module",
    arguments: ["Cart.State", "Shop.Cart.State"])
  func extensions(name: String) throws {
    let project = project(
      ("Cart.swift", "enum Cart { struct State {} }; enum Player { struct State {} }"),
      ("More.swift", "extension \(name) { func reset() {} }"))
    #expect(project.type(named: "Cart.State")?.functions.keys.sorted() == ["reset"])
    #expect(project.type(named: "Player.State")?.functions.isEmpty == true)
  }

  @Test("of two types of one name, code means that of the nearest file")
  func nearest() throws {
    let project = project(
      ("App/Row.swift", "final class Row {}; final class AppList {}"),
      ("Watch/Row.swift", "struct Row {}; final class WatchList {}"),
      ("Watch/Row+More.swift", "extension Row { func show() {} }"))
    let app = try #require(project.type(named: "AppList"))
    let watch = try #require(project.type(named: "WatchList"))
    #expect(project.type(named: "Row", in: app)?.functions.isEmpty == true)
    #expect(project.type(named: "Row", in: watch)?.functions.keys.sorted() == ["show"])
  }

  @Test("a class has the nested types of its superclass, and a nested type is not the framework's")
  func inherited() throws {
    let project = project(
      (
        "Screens.swift",
        """
        class Base { struct View {} }
        final class Screen: Base {}
        struct Title: View {}
        """
      ))
    let screen = try #require(project.type(named: "Screen"))
    #expect(project.type(named: "View", in: screen)?.path == ["Base", "View"])
    #expect(project.isView(try #require(project.type(named: "Title"))))
  }

  @Test(
    "objects that only globals, statics and their properties make live as long as the app",
    arguments: [
      ("let subject = Subject()", true), ("enum Services { static let subject = Subject.init() }", true),
      ("let app = Environment(); class Environment { var subject = Subject() }", true),
      ("@main struct Shop: App { let subject = Subject() }", true),
      ("let subject = Subject(); func make() -> Subject { Subject() }", false),
      ("let make = { Subject() }", false), ("class Screen { let subject = Subject() }", false),
      ("let one = Other(); class Other: Subject {}", false), ("", false),
      ("let subject = Subject(); let other = Other(); class Other: Subject {}", false),
      ("class Environment { static var subject: Subject { Subject() } }", false),
    ])
  func globalObjects(code: String, livesWithApp: Bool) throws {
    let project = project(("Subject.swift", "class Subject {}"), ("Uses.swift", code))
    #expect(try #require(project.type(named: "Subject")).livesWithApp == livesWithApp)
  }
}

@Suite("Names")
struct NameTableTests {
  @Test(
    "a name has the words of its camel case",
    arguments: [
      ("searchText", ["search", "text"]), ("URLSession", ["url", "session"]), ("loadURL", ["load", "url"]),
      ("_isReady", ["is", "ready"]), ("with other", ["with", "other"]),
    ])
  func camelCase(name: String, parts: [String]) { #expect(words(of: name) == parts) }

  @Test(
    "a table knows words and not parts of words",
    arguments: [("loadedAt", true), ("uploader", false), ("payload", false), ("didFirstTime", true)])
  func tables(name: String, isFound: Bool) { #expect(NameTable.loaded.isIn(name) == isFound) }
}
