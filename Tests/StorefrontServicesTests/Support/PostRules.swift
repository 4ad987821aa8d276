import StorefrontDomain
import Testing

/// Checks how a storefront deletes a post: the rules are the same for the closure and the async form.
func expectPostRules(_ client: StorefrontClient, first: [Post]) async throws {
  #expect(try await client.posts() == first)
  let id = first[3].id
  try await client.deletePost(id)
  #expect(try await client.posts() == first.filter { $0.id != id })
  await #expect(throws: PostError.unknownPost(id)) { try await client.deletePost(id) }
  await #expect(throws: PostError.unknownPost(-1)) { try await client.deletePost(-1) }
  #expect(try await client.posts().count == first.count - 1)
}
