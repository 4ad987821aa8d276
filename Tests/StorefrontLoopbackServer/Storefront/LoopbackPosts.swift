import StorefrontDomain
import StorefrontServices
import Synchronization

/// The posts of a server. A deleted post can be restored at its place.
final class LoopbackPosts: Sendable {
  private let posts: [Post]
  private let deleted = Mutex<Set<Post.ID>>([])

  private struct Deleted: Encodable {
    let deleted: Int
  }

  private struct Restored: Encodable {
    let restored: Int
  }

  init(_ posts: [Post]) { self.posts = posts }

  /// The requested page of the posts that are not deleted, by cursor.
  func page(_ request: PageRequest) throws(PageError) -> Page<Post> {
    let deleted = deleted.withLock { $0 }
    return try OffsetCursor.page(request, of: posts, list: "posts") { !deleted.contains($0.id) }
  }

  /// The posts that are not deleted.
  var current: [Post] { deleted.withLock { deleted in posts.filter { !deleted.contains($0.id) } } }

  func delete(_ id: Post.ID) -> HTTPResponse {
    guard posts.contains(where: { $0.id == id }), deleted.withLock({ $0.insert(id).inserted }) else {
      return unknown(id)
    }
    return .json(Deleted(deleted: id.rawValue))
  }

  func restore(_ id: Post.ID) -> HTTPResponse {
    guard posts.contains(where: { $0.id == id }) else { return unknown(id) }
    deleted.withLock { _ = $0.remove(id) }
    return .json(Restored(restored: id.rawValue))
  }

  private func unknown(_ id: Post.ID) -> HTTPResponse {
    .error(404, "there is no post \(id)", parameter: "id")
  }
}
