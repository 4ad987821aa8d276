/// One of the services that a storefront offers.
public enum StorefrontEndpoint: Sendable, Hashable, CaseIterable {
  case page, product, search, cart, profile, profileSaving, posts, postDeletion, orders, recommendations
}
