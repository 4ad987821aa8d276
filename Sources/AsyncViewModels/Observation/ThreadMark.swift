public import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// Records which thread is inside a critical section, for code that may be inlined into async
/// functions.
///
/// An async function can resume on another thread after an `await`. But glibc declares
/// `pthread_self` as `const`, so the compiler may call it once and reuse the result in the whole
/// function. Only ``enter()`` and ``isCurrentThread()`` read the identity of the current thread.
/// These two methods are never inlined, and they access an atomic, so the compiler cannot merge two
/// calls.
@usableFromInline
struct ThreadMark: ~Copyable, Sendable {
  /// The identity of the thread inside the section, or 0. Relaxed accesses suffice: a comparison
  /// with the current thread is true only if that thread itself stored the value.
  @usableFromInline let thread = Atomic<UInt>(0)

  @export(implementation) init() {}

  /// Whether a thread is inside the section. The thread inside always reads `true`. Other threads
  /// can read an outdated answer.
  @export(implementation) var isPresent: Bool { thread.load(ordering: .relaxed) != 0 }

  /// Marks the current thread as the thread inside the section.
  @usableFromInline @inline(never)
  func enter() { thread.store(Self.current, ordering: .relaxed) }

  /// Marks that no thread is inside the section.
  @export(implementation)
  func leave() { thread.store(0, ordering: .relaxed) }

  /// Whether the current thread is the thread inside the section.
  @usableFromInline @inline(never)
  func isCurrentThread() -> Bool { thread.load(ordering: .relaxed) == Self.current }

  private static var current: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: unsafe pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
