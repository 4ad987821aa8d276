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

/// Which thread is inside a critical section, for code that may be inlined into async functions.
///
/// An async function goes on on another thread after an `await`, and the compiler may compute a thread's identity once for the whole
/// function: glibc declares `pthread_self` as a function of nothing. So no identity ever leaves this type. Two functions compare and
/// store it where it was asked for, they are never inlined, and they access memory that other threads change, so no result of theirs
/// can be used twice.
@usableFromInline
struct ThreadMark: ~Copyable, Sendable {
  /// The thread inside, or 0. A thread can find only itself here, so the accesses need no order.
  @usableFromInline let thread = Atomic<UInt>(0)

  @inlinable init() {}

  /// Whether some thread is inside.
  @inlinable var isPresent: Bool { thread.load(ordering: .relaxed) != 0 }

  /// Marks the current thread as the one inside.
  @usableFromInline @inline(never)
  func enter() { thread.store(Self.current, ordering: .relaxed) }

  @inlinable
  func leave() { thread.store(0, ordering: .relaxed) }

  /// Whether the current thread is the one inside.
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
