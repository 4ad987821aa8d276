/// Divides the time of a run among its groups, by their number of variants. If a group takes more or less than
/// its share, the groups after it get less or more time.
struct Budget {
  /// The time left for all remaining groups.
  let remaining: Duration
  /// The most time that one variant gets.
  let variantLimit: Duration

  /// The time for a group of `variants` variants, if `allVariants` variants remain, including those of the group.
  func share(of variants: Int, among allVariants: Int) -> Duration {
    guard variants > 0, remaining > .zero else { return .zero }
    return min(remaining * variants / max(allVariants, variants), variantLimit * variants)
  }

  /// The time that the remaining `variants` variants will take together.
  func estimate(for variants: Int) -> Duration {
    share(of: variants, among: variants)
  }
}
