extension Duration {
  /// The longest delay that the toolkit passes to a clock or a queue: about 100 years.
  ///
  /// Longer delays are shortened to this delay, because a clock may not be able to represent their
  /// end.
  @usableFromInline package static var longestDelay: Duration { .seconds(3_155_760_000) }
}
