import AsyncViewModels
import Foundation

extension StressProgram {
  static var notifications: [StressProgram] {
    [
      StressProgram(
        name: "notification-streams",
        summary:
          "permanent streams receive every post in the order of each poster, while other streams come and go",
        run: streams),
      StressProgram(
        name: "notification-registrations",
        summary: "registrations end on any thread and release what their blocks captured", run: registrations
      ),
      StressProgram(
        name: "notification-senders", summary: "a stream from one sender receives no posts of other senders",
        run: senders),
    ]
  }

  private struct Post: Sendable {
    let poster: Int
    let number: Int

    init?(_ notification: Notification) {
      guard let poster = notification.userInfo?["poster"] as? Int else { return nil }
      guard let number = notification.userInfo?["number"] as? Int else { return nil }
      (self.poster, self.number) = (poster, number)
    }

    static func send(
      _ poster: Int, _ number: Int, from object: AnyObject? = nil, to center: NotificationCenter
    ) {
      center.post(name: .posts, object: object, userInfo: ["poster": poster, "number": number])
    }
  }

  /// A custom notification source that counts its current registrations.
  private struct CountingSource: NotificationSource {
    let center = NotificationCenter()
    let registrations = Tally()

    func register(
      for name: Notification.Name, from object: AnyObject?,
      _ block: @escaping @Sendable (Notification) -> Void
    ) -> CancellationToken {
      let token = center.register(for: name, from: object, block)
      registrations.add()
      return CancellationToken { [registrations] in
        token.cancel()
        registrations.add(-1)
      }
    }
  }

  private static func streams(load: Load) async throws {
    let source = CountingSource()
    let rounds = 3_000 / load.tasks
    let all = [source.stream(of: .posts, Post.init), source.stream(of: .posts, from: nil, Post.init)]
    let readers = all.map { stream in Task { try await readAll(stream, of: load.tasks, rounds) } }
    try await load.inParallel { task in
      for number in 1...rounds {
        Post.send(task, number, to: source.center)
        source.center.post(name: .posts, object: nil)  // Has no payload, so a stream skips it.
        if number % 16 == 0 { try await readBriefly(from: source, number) }
      }
    }
    for reader in readers { try await reader.value }
    await until { source.registrations.value == 0 }
  }

  private static func readAll(_ stream: AsyncStream<Post>, of posters: Int, _ rounds: Int) async throws {
    var seen = [Int](repeating: 0, count: posters)
    var missing = posters * rounds
    for await post in stream where post.poster >= 0 {
      try expectEqual(post.number, seen[post.poster] + 1, "the next post of \(post.poster)")
      seen[post.poster] = post.number
      missing -= 1
      if missing == 0 { return }
    }
    throw Unexpected(description: "the stream ended \(missing) posts too early")
  }

  /// Creates a stream with a small buffer, and drops the stream unread or after one post.
  private static func readBriefly(from source: CountingSource, _ number: Int) async throws {
    let bufferings: [BufferingPolicy] = [
      .latest, .bounded(2, dropping: .oldest), .bounded(1, dropping: .newest),
    ]
    let stream = source.stream(of: .posts, buffering: bufferings[number / 16 % 3], Post.init)
    try expect(source.registrations.value > 0, "an existing stream is not registered")
    if number % 48 == 0 { return }
    let reader = Task { () -> Post? in
      for await post in stream { return post }
      return nil
    }
    await Task.yield()
    if number % 32 == 0 { reader.cancel() }
    // The permanent readers ignore a poster with a negative number.
    Post.send(-1, number, to: source.center)
    _ = await reader.value
  }

  private static func registrations(load: Load) async throws {
    let center = NotificationCenter()
    let live = Tally()
    try await load.inParallel { task in
      for round in 0..<(8_000 / load.tasks) {
        let posts = Tally()
        let other = CancellationToken { live.add(-1) }
        live.add(2)
        let captured = DeinitAction { [live] in
          other.cancel()
          live.add(-1)
        }
        let token = center.register(for: .posts, from: nil) { post in
          withExtendedLifetime(captured) { if Post(post)?.poster == task { posts.add() } }
        }
        await token.hold {
          Post.send(task, round, to: center)
          if round % 4 == 0 { await Task.yield() }
        }
        try expectEqual(posts.value, 1, "the posts that a registration received")
        if round % 3 == 0 { releaseElsewhere(token) } else if round % 3 == 1 { token.cancel() }
      }
    }
    await until { live.value == 0 }
  }

  private static func senders(load: Load) async throws {
    let center = NotificationCenter()
    try await load.inParallel { task in
      for round in 0..<(8_000 / load.tasks) {
        let sender = DeinitAction {}
        let mine = center.stream(of: .posts, from: sender, buffering: .unbounded, Post.init)
        Post.send(-1, round, to: center)
        Post.send(task, round, from: sender, to: center)
        if round % 4 == 0 { await Task.yield() }
        for await post in mine {
          try expect(post.poster == task && post.number == round, "a post of another sender: \(post)")
          break
        }
        withExtendedLifetime(sender) {}
      }
    }
  }
}

extension Notification.Name {
  fileprivate static let posts = Notification.Name("posts")
}
