/// The two forms of every service: completion handlers and async functions.
enum ServiceForm: CaseIterable, Sendable {
  case closure, async
}
