import StorefrontDomain
import Synchronization

extension StorefrontScript {
  /// The posts that are left.
  func posts(of contents: StorefrontContents) -> [Post] {
    let deleted = state.withLock { $0.deletedPosts }
    return contents.posts.filter { !deleted.contains($0.id) }
  }

  func delete(_ id: Post.ID, of contents: StorefrontContents) throws(PostError) {
    guard contents.posts.contains(where: { $0.id == id }) else { throw .unknownPost(id) }
    try state.withLock { state throws(PostError) in
      guard state.deletedPosts.insert(id).inserted else { throw .unknownPost(id) }
    }
  }
}
