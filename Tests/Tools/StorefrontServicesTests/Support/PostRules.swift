import StorefrontDomain
import Testing

/// Checks how a storefront deletes and restores posts: the rules are the same for the closure and the async form.
func expectPostRules(_ client: StorefrontClient, first: [Post]) async throws {
  #expect(try await client.posts() == first)
  for size in [1, 4, first.count, first.count + 1] {
    #expect(try await client.allPosts(pageSize: size) == first)
  }
  let unknown = PageCursor(rawValue: "no such cursor")
  await #expect(throws: PageError.expired(unknown)) {
    _ = try await client.postsPage(PageRequest(at: .cursor(unknown), size: 2))
  }
  await #expect(throws: PageError.unsupported(.index(1))) {
    _ = try await client.postsPage(PageRequest(index: 1, size: 2))
  }
  let (id, other) = (first[3].id, first[5].id)
  try await client.deletePost(id)
  #expect(try await client.posts() == first.filter { $0.id != id })
  await #expect(throws: PostError.unknownPost(id)) { try await client.deletePost(id) }
  await #expect(throws: PostError.unknownPost(-1)) { try await client.deletePost(-1) }
  #expect(try await client.posts().count == first.count - 1)

  let page = try await client.postsPage(PageRequest(size: 5))
  try await client.deletePost(other)
  let next = try await client.postsPage(try #require(PageRequest(size: 5).next(after: page)))
  #expect(next.items == Array(first[6...].prefix(5)), "a deletion moves no post to another page")
  try await client.restorePost(id)
  #expect(try await client.posts() == first.filter { $0.id != other }, "the post is at its place")
  try await client.restorePost(id)
  #expect(try await client.posts() == first.filter { $0.id != other }, "a second restoration has no effect")
  try await client.restorePost(first[0].id)
  await #expect(throws: PostError.unknownPost(-1)) { try await client.restorePost(-1) }
  try await client.deletePost(id)
  #expect(try await client.posts() == first.filter { ![id, other].contains($0.id) })
}
