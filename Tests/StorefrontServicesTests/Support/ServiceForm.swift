/// The two forms in which every service exists.
enum ServiceForm: CaseIterable, Sendable {
  case closure, async
}
