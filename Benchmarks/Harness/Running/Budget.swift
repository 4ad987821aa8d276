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

  /// The time that the remaining `variants` variants will take together, after `finished` variants took `elapsed`.
  ///
  /// A run can exceed its time, because each variant gets a minimum of samples. So the estimate follows the pace of the run, as soon
  /// as a tenth of the variants is finished: the first variants can take much longer than most.
  func estimate(for variants: Int, after finished: Int, in elapsed: Duration) -> Duration {
    let planned = share(of: variants, among: variants)
    guard finished > 0, finished * 10 >= finished + variants else { return planned }
    return max(planned, elapsed / finished * variants)
  }
}
