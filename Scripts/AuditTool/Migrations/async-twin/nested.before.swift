import Foundation

/// Loads pages of posts.
protocol FeedService {
  /// A result that is written out changes nothing.
  func page(after cursor: FeedClient.Page.Cursor?, completion: @escaping (Result<FeedClient.Page, Error>) -> Void) -> Void
  func clear(completion: @escaping () -> Void) -> ()
  func publish(_ title: String, body: String, attachments: [FeedClient.Attachment], section: FeedClient.Section, onSuccess success: @escaping (FeedClient.Page) -> Void, onFailure failure: @escaping (Error) -> Void)
}

protocol FeedSearch {
  func search(_ query: String, in section: FeedClient.Section, completion: @escaping (Result<[FeedClient.Page], Error>) -> Void) -> FeedClient.Request
}

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
