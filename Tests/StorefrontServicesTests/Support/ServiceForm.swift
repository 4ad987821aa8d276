/// The two forms of every service.
enum ServiceForm: CaseIterable, Sendable {
  case closure, async
}
