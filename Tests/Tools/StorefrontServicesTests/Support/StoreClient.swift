import StorefrontDomain
import StorefrontServices

/// A file store, called in one of its two forms.
struct StoreClient<Value: Codable & Sendable>: Sendable {
  let load: @Sendable () async throws -> StoredValue<Value>
  let save: @Sendable (Value) async throws -> Void
  let clear: @Sendable () async throws -> Void
  let flush: @Sendable () async throws -> Void
  let close: @Sendable () async throws -> Void

  init(_ form: ServiceForm, _ store: FileStore<Value>) {
    switch form {
    case .async:
      load = { try await store.load() }
      save = { try await store.save($0) }
      clear = { try await store.clear() }
      flush = { try await store.flush() }
      close = { try await store.close() }
    case .closure:
      load = { try await PendingCall.result { store.load(completion: $0) } }
      save = { value in try await PendingCall.result { store.save(value, completion: $0) } }
      clear = { try await PendingCall.result { store.clear(completion: $0) } }
      flush = { try await PendingCall.result { store.flush(completion: $0) } }
      close = { try await PendingCall.result { store.close(completion: $0) } }
    }
  }
}
