import AsyncViewModels
import Foundation

/// Loads pages of posts.
protocol FeedService {
  /// A result that is written out changes nothing.
  func page(after cursor: FeedClient.Page.Cursor?, completion: @escaping (Result<FeedClient.Page, Error>) -> Void) -> Void
  func clear(completion: @escaping () -> Void) -> ()
  func publish(_ title: String, body: String, attachments: [FeedClient.Attachment], section: FeedClient.Section, onSuccess success: @escaping (FeedClient.Page) -> Void, onFailure failure: @escaping (Error) -> Void)
}

/// The async twin of `FeedService`.
protocol AsyncFeedService: Sendable {
  /// A result that is written out changes nothing.
  func page(after cursor: FeedClient.Page.Cursor?) async throws -> FeedClient.Page
  func clear() async throws
  func publish(
    _ title: String, body: String, attachments: [FeedClient.Attachment], section: FeedClient.Section
  ) async throws -> FeedClient.Page
}

/// Makes async functions from the completion handlers of `FeedService`.
// TODO: [migrate] Can each `FeedService` be called on any thread? Then make it `Sendable`, and
// delete `@unchecked`.
struct FeedServiceAdapter: AsyncFeedService, @unchecked Sendable {
  let service: any FeedService

  func page(after cursor: FeedClient.Page.Cursor?) async throws -> FeedClient.Page {
    try await withCompletionHandler { completion in
      service.page(after: cursor, completion: completion)
      return .finished
    }
  }

  func clear() async throws {
    try await withCompletionHandler { completion in
      service.clear(completion: { completion(.success(())) })
      return .finished
    }
  }

  func publish(
    _ title: String, body: String, attachments: [FeedClient.Attachment], section: FeedClient.Section
  ) async throws -> FeedClient.Page {
    try await withCompletionHandler { completion in
      service.publish(
        title,
        body: body,
        attachments: attachments,
        section: section,
        onSuccess: { completion(.success($0)) },
        onFailure: { completion(.failure($0)) })
      return .finished
    }
  }
}

/// Calls completion handlers with the results of `AsyncFeedService`.
struct AsyncFeedServiceAdapter: FeedService {
  let service: any AsyncFeedService
  /// The queue on which completion handlers are called.
  let queue: DispatchQueue

  func page(
    after cursor: FeedClient.Page.Cursor?,
    completion: @escaping (Result<FeedClient.Page, Error>) -> Void
  ) -> Void {
    nonisolated(unsafe) let completion = completion  // Called once.
    Task {
      let result = await Result { try await service.page(after: cursor) }
      queue.async { completion(result) }
    }
  }

  func clear(completion: @escaping () -> Void) -> () {
    nonisolated(unsafe) let completion = completion  // Called once.
    Task {
      _ = await Result { try await service.clear() }
      queue.async { completion() }
    }
  }

  func publish(
    _ title: String,
    body: String,
    attachments: [FeedClient.Attachment],
    section: FeedClient.Section,
    onSuccess success: @escaping (FeedClient.Page) -> Void,
    onFailure failure: @escaping (Error) -> Void
  ) {
    nonisolated(unsafe) let success = success  // Called once.
    nonisolated(unsafe) let failure = failure  // Called once.
    Task {
      let result = await Result {
        try await service.publish(title, body: body, attachments: attachments, section: section)
      }
      queue.async {
        switch result {
        case .success(let value): success(value)
        case .failure(let error): failure(error)
        }
      }
    }
  }
}

protocol FeedSearch {
  func search(_ query: String, in section: FeedClient.Section, completion: @escaping (Result<[FeedClient.Page], Error>) -> Void) -> FeedClient.Request
}

/// The async twin of `FeedSearch`.
protocol AsyncFeedSearch: Sendable {
  func search(_ query: String, in section: FeedClient.Section) async throws -> [FeedClient.Page]
}

/// Makes async functions from the completion handlers of `FeedSearch`.
// TODO: [migrate] Can each `FeedSearch` be called on any thread? Then make it `Sendable`, and
// delete `@unchecked`.
struct FeedSearchAdapter: AsyncFeedSearch, @unchecked Sendable {
  let service: any FeedSearch

  func search(_ query: String, in section: FeedClient.Section) async throws -> [FeedClient.Page] {
    try await withCompletionHandler { completion in
      let request = service.search(query, in: section, completion: completion)
      return CancellationToken { request.cancel() }
    }
  }
}

// TODO: [migrate] Write an adapter from `AsyncFeedSearch` to `FeedSearch`: an async function cannot
// make the `FeedClient.Request` that `search` returns.

/// The types of the service are nested in a class that no call passes on.
final class FeedClient {
  struct Page {
    struct Cursor { var offset: Int }

    var titles: [String]
    var next: Cursor?
  }

  enum Section { case all, tag(String) }

  struct Attachment { let name: String }

  final class Request: Sendable {
    func cancel() {}
  }

  var cache: [Page] = []
}

/// No type conforms to it.
private protocol UnusedSearch {
  func search(completion: @escaping (Int) -> Void)
}
