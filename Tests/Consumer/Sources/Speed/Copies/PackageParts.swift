// The files beside this one are links to the storefront's search. Here they are code of the app, so the compiler specializes them
// for the app's items. This file repeats the declarations that the linked files use and that an app cannot see.

extension Duration {
  /// As in the toolkit's `Duration+LongestDelay.swift`.
  static var longestDelay: Duration { .seconds(3_155_760_000) }
}
