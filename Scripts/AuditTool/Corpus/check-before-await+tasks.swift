//// harmless: a stored task keeps other calls out until it has ended
actor ImageCache {
  private var cachingTask: Task<Void, Never>?
  private var known: Set<String> = []
  func cacheIfNeeded(_ images: [Image]) async {
    if cachingTask != nil { return }
    cachingTask = Task {
      known = []
      await process(images)
      cachingTask = nil
    }
    await cachingTask!.value
  }
}

//// hazard: another function clears the running task
@MainActor final class DetailsModel {
  private var fetchTask: Task<Void, Never>?
  func fetch() {
    guard fetchTask == nil else { return }
    fetchTask = Task {
      await load()
      fetchTask = nil  // ← here
    }
  }
  func cancel() {
    fetchTask?.cancel()
    fetchTask = nil
  }
}

//// hazard: the task is stored after the first wait
actor TokenRefresher {
  private var refreshTask: Task<Void, Never>?
  func refresh() async {
    guard refreshTask == nil else { return }
    let client = await makeClient()
    refreshTask = Task { await client.refresh() }  // ← here
  }
}

//// harmless: a local task is stored at once, and clears itself
@MainActor
final class StatusSender {
  private var sendTask: Task<Int, any Error>?

  func send() async throws -> Int {
    if let sendTask { return try await sendTask.value }
    let task = Task { () -> Int in
      defer { sendTask = nil }
      return try await upload()
    }
    sendTask = task
    return try await task.value
  }
}

//// hazard: a local task is stored after it has been awaited
@MainActor
final class TokenSource {
  private var tokenTask: Task<String, any Error>?

  func token() async throws -> String {
    if let tokenTask { return try await tokenTask.value }
    let task = Task { try await request() }
    let value = try await task.value
    tokenTask = task  // ← here
    return value
  }
}
