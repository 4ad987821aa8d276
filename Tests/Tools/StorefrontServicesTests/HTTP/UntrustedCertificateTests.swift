#if os(Linux)
  import AsyncViewModels
  import AsyncViewModelsTesting
  import Foundation
  import StorefrontDomain
  import StorefrontTesting
  import Testing

  /// A server whose certificate no authority has signed. The tool `openssl` creates the certificate and is the server.
  @Suite("Untrusted certificate", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
  struct UntrustedCertificateTests {
    private static let tool = URL(fileURLWithPath: "/usr/bin/openssl")
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    /// Starts the server, and returns its port.
    private func start(input: Pipe) async throws -> (server: StartedProcess, port: String) {
      let request = try StartedProcess(
        Self.tool,
        [
          "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", path("key"), "-out",
          path("certificate"),
          "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
        ])
      let problem = await request.read { $0.readDataToEndOfFile() }
      try #require(await request.status == 0, "\(problem)")
      let server = try StartedProcess(
        Self.tool,
        ["s_server", "-accept", "127.0.0.1:0", "-cert", path("certificate"), "-key", path("key"), "-www"],
        input: input)
      var output = ""
      while !output.contains(#/ACCEPT \S+:\d+\n/#) {
        let more = await server.read { $0.availableData }
        try #require(!more.isEmpty, "the server has ended: \(output)")
        output += more
      }
      return (server, String(try #require(output.firstMatch(of: #/ACCEPT \S+:(\d+)\n/#)).output.1))
    }

    @Test(
      "a self-signed certificate is refused as insecure, for reads and writes",
      .enabled(if: FileManager.default.isExecutableFile(atPath: tool.path), "openssl is not installed"),
      arguments: HTTPForm.all)
    func selfSigned(form: HTTPForm) async throws {
      let input = Pipe()
      let (server, port) = try await start(input: input)
      let url = try #require(URL(string: "https://127.0.0.1:\(port)"))
      let client = try StorefrontClient.http(form, url)
      await #expect(throws: ServiceError.insecure) { _ = try await client.profile() }
      await #expect(throws: ServiceError.insecure) { try await client.deletePost(1) }
      kill(server.process.processIdentifier, SIGKILL)
      #expect(await server.status == SIGKILL)
      withExtendedLifetime(input) {}
    }
  }
#endif
