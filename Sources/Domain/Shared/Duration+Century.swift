extension Duration {
  /// The longest delay of the app. A clock traps if it cannot represent the end of a delay.
  package static var century: Duration { .seconds(3_155_760_000) }
}
