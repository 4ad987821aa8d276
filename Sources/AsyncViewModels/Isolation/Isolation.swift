/// An actor that does nothing but isolate: the default host of a view model.
///
/// A view model actor runs on the executor of its *host*, which its initialiser takes. Hosted on a fresh `Isolation` it is an
/// actor of its own; hosted on `MainActor.shared`, main-actor code may use it synchronously through `assumeIsolated`; hosted on a
/// ``QueueIsolation``, code on that dispatch queue may. Two actors with one host share one isolation.
///
/// ```swift
/// public actor Counter {
///   private nonisolated let host: ActorHost
///   public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }
///   public init(isolation: any Actor = Isolation()) { host = ActorHost(isolation) }
/// }
/// ```
///
/// The hosted actor keeps its host alive. Cost: that of a plain actor.
public actor Isolation {
  public init() {}
}
