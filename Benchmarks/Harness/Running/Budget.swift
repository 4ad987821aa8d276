/// Divides the time of a run among groups by their number of variants. What one group takes too long, those after it
/// lack; what one leaves, they get.
struct Budget {
  /// The time left for all groups that are still to come.
  let remaining: Duration
  /// No variant gets more, however few there are.
  let variantLimit: Duration

  /// What a group of `variants` gets where `allVariants`, its own among them, are still to come.
  func share(of variants: Int, among allVariants: Int) -> Duration {
    guard variants > 0, remaining > .zero else { return .zero }
    return min(remaining * variants / max(allVariants, variants), variantLimit * variants)
  }

  /// What `variants` will take.
  func estimate(for variants: Int) -> Duration {
    share(of: variants, among: variants)
  }
}
