import StorefrontDomain
import Synchronization

/// The posts of a server that have not been deleted.
final class LoopbackPosts: Sendable {
  private let posts: Mutex<[Post]>

  private struct Deleted: Encodable {
    let deleted: Int
  }

  init(_ posts: [Post]) { self.posts = Mutex(posts) }

  var current: [Post] { posts.withLock { $0 } }

  func delete(_ id: Post.ID) -> HTTPResponse {
    posts.withLock { posts in
      guard let index = posts.firstIndex(where: { $0.id == id }) else {
        return .error(404, "there is no post \(id)", parameter: "id")
      }
      posts.remove(at: index)
      return .json(Deleted(deleted: id.rawValue))
    }
  }
}
