import AsyncViewModels
import Dispatch

public struct Profile: Sendable {}

public final class ProfileRequest: Sendable {
	private let onCancel: @Sendable () -> Void

	public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

	public func cancel() { onCancel() }
}

public protocol ProfileService: AnyObject, Sendable {
	func profile(completion: @escaping @Sendable (Result<Profile, any Error>) -> Void) -> ProfileRequest
	func save(
		_ profile: Profile, completion: @escaping @Sendable ((any Error)?) -> Void
	) -> CancellationToken
	func decode<Value: Decodable & Sendable>(_ type: Value.Type, then handler: @escaping @Sendable (Value?, (any Error)?) -> Void) throws
	func reload() async throws
}

/// The async twin of `ProfileService`.
public protocol AsyncProfileService: Sendable {
	func profile() async throws -> Profile
	func save(_ profile: Profile) async throws
	func decode<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value
	func reload() async throws
}

/// Makes async functions from the completion handlers of `ProfileService`.
public struct ProfileServiceAdapter: AsyncProfileService {
	let service: any ProfileService

	public init(service: any ProfileService) {
		self.service = service
	}

	public func profile() async throws -> Profile {
		try await withCompletionHandler { completion in
			let request = service.profile(completion: completion)
			return CancellationToken { request.cancel() }
		}
	}

	public func save(_ profile: Profile) async throws {
		try await withCompletionHandler(error: { completion in
			service.save(profile, completion: completion)
		})
	}

	public func decode<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value {
		try await withCompletionHandler(valueAndError: { completion in
			try service.decode(type, then: completion)
			return .finished
		})
	}

	public func reload() async throws {
		try await service.reload()
	}
}

/// Calls completion handlers with the results of `AsyncProfileService`.
public final class AsyncProfileServiceAdapter: ProfileService {
	let service: any AsyncProfileService
	/// The queue on which completion handlers are called.
	let queue: DispatchQueue

	public init(service: any AsyncProfileService, queue: DispatchQueue) {
		self.service = service
		self.queue = queue
	}

	public func profile(
		completion: @escaping @Sendable (Result<Profile, any Error>) -> Void
	) -> ProfileRequest {
		let task = Task {
			let result = await Result { try await service.profile() }
			queue.async { completion(result) }
		}
		return ProfileRequest { task.cancel() }
	}

	public func save(
		_ profile: Profile, completion: @escaping @Sendable ((any Error)?) -> Void
	) -> CancellationToken {
		let task = Task {
			let result = await Result { try await service.save(profile) }
			queue.async {
				switch result {
				case .success: completion(nil)
				case .failure(let error): completion(error)
				}
			}
		}
		return CancellationToken { task.cancel() }
	}

	public func decode<Value: Decodable & Sendable>(
		_ type: Value.Type, then handler: @escaping @Sendable (Value?, (any Error)?) -> Void
	) throws {
		Task {
			let result = await Result { try await service.decode(type) }
			queue.async {
				switch result {
				case .success(let value): handler(value, nil)
				case .failure(let error): handler(nil, error)
				}
			}
		}
	}

	public func reload() async throws {
		try await service.reload()
	}
}

@MainActor
protocol BadgeService {
	func badge(completion: @escaping (Int) -> Void)
	func clear(completion: @escaping @MainActor (Result<Void, any Error>) -> Void)
}

/// The async twin of `BadgeService`.
@MainActor protocol AsyncBadgeService: Sendable {
	func badge() async throws -> Int
	func clear() async throws
}

/// Makes async functions from the completion handlers of `BadgeService`.
@MainActor struct BadgeServiceAdapter: AsyncBadgeService {
	let service: any BadgeService

	func badge() async throws -> Int {
		try await withCompletionHandler { completion in
			service.badge(completion: { completion(.success($0)) })
			return .finished
		}
	}

	func clear() async throws {
		try await withCompletionHandler { completion in
			service.clear(completion: completion)
			return .finished
		}
	}
}

// TODO: [migrate] Write an adapter from `AsyncBadgeService` to `BadgeService`: the handler of
// `badge` cannot receive every error, such as a `CancellationError`.
