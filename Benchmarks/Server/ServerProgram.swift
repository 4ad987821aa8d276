import Foundation
import StorefrontLoopbackServer

/// The child's side: serves a catalogue over HTTP until its parent is gone.
enum ServerProgram {
  /// Prints the address as the first line of standard output, then serves until standard input ends. Blocks.
  /// - Throws: `CatalogError`, `LoopbackError`.
  static func run(catalog path: String?) throws {
    // Ctrl-C reaches the child as well; it is the parent that decides when it has had enough.
    signal(SIGINT, SIG_IGN)
    let server = LoopbackHTTPServer(catalog: try path.map { try Catalog.load(contentsOf: $0) } ?? .seeded())
    let url = try server.start()
    FileHandle.standardOutput.write(Data("\(url.absoluteString)\n".utf8))
    while !FileHandle.standardInput.availableData.isEmpty {}
    server.stop()
  }
}
