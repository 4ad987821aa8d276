import AsyncViewModels

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

@MainActor
protocol BadgeService {
	func badge(completion: @escaping (Int) -> Void)
	func clear(completion: @escaping @MainActor (Result<Void, any Error>) -> Void)
}
