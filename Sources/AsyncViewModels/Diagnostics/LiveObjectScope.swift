/// The instance of ``LiveObjects`` that was current when the scope was created, for work that
/// inherits no task-local values.
///
/// In a release build, a scope has no size.
@usableFromInline
struct LiveObjectScope: Sendable {
  #if DEBUG
    private let liveObjects = LiveObjects.current

    /// Runs `body`, and counts the objects that it creates in the instance.
    @usableFromInline
    func run<Output>(_ body: () -> Output) -> Output {
      LiveObjects.$scope.withValue(liveObjects, operation: body)
    }
  #else
    @export(implementation) init() {}

    @export(implementation)
    func run<Output>(_ body: () -> Output) -> Output { body() }
  #endif
}
