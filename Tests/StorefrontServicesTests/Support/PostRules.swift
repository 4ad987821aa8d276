import StorefrontDomain
import Testing

/// Checks how a storefront deletes and restores posts: the rules are the same for the closure and the async form.
func expectPostRules(_ client: StorefrontClient, first: [Post]) async throws {
  #expect(try await client.posts() == first)
  let (id, other) = (first[3].id, first[5].id)
  try await client.deletePost(id)
  #expect(try await client.posts() == first.filter { $0.id != id })
  await #expect(throws: PostError.unknownPost(id)) { try await client.deletePost(id) }
  await #expect(throws: PostError.unknownPost(-1)) { try await client.deletePost(-1) }
  #expect(try await client.posts().count == first.count - 1)

  try await client.deletePost(other)
  try await client.restorePost(id)
  #expect(try await client.posts() == first.filter { $0.id != other }, "the post is at its place")
  try await client.restorePost(id)
  #expect(try await client.posts() == first.filter { $0.id != other }, "a second restoration has no effect")
  try await client.restorePost(first[0].id)
  await #expect(throws: PostError.unknownPost(-1)) { try await client.restorePost(-1) }
  try await client.deletePost(id)
  #expect(try await client.posts() == first.filter { ![id, other].contains($0.id) })
}
