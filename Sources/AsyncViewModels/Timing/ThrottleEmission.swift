/// Which of the elements that fall into one interval a throttled sequence hands on.
public enum ThrottleEmission: Sendable, CaseIterable {
  /// The first, at once. The others are left out.
  case leading
  /// The last, when the interval is over.
  case trailing
  /// The first at once, and where others followed, the last of them when the interval is over.
  case both
}
