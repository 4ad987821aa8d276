import AsyncViewModels
import Foundation

class Other { typealias Completion = (Int) -> Void }

/// Loads pages.
protocol PageService
{
	typealias Completion = (Result<String, any Error>) -> Void

	func page(in: String, completion: @escaping Completion)
	func page(_: Int, completion: @escaping Completion)
	func search(
		name: String, // the name
		/* of a page */ size: Int,
		completion: @escaping (_ page: String?, _ error: (any Error)?) -> Void // called once
	)
	func send(service: String, queue: Int, completion: @escaping ((any Error)?) -> Void)
	func load(result: @escaping (Result<String, any Error>) -> Void)
	func save(success: @escaping () -> Void, error: @escaping (any Error) -> Void)
}

/// The async twin of `PageService`.
protocol AsyncPageService: Sendable {
	func page(in argument1: String) async throws -> String
	func page(_ argument1: Int) async throws -> String
	func search(name: String, size: Int) async throws -> String
	func send(service givenService: String, queue givenQueue: Int) async throws
	func load() async throws -> String
	func save() async throws
}

/// Makes async functions from the completion handlers of `PageService`.
// TODO: [migrate] Can each `PageService` be called on any thread? Then make it `Sendable`, and
// delete `@unchecked`.
struct PageServiceAdapter: AsyncPageService, @unchecked Sendable {
	let service: any PageService

	func page(in argument1: String) async throws -> String {
		try await withCompletionHandler { completion in
			service.page(in: argument1, completion: completion)
			return .finished
		}
	}

	func page(_ argument1: Int) async throws -> String {
		try await withCompletionHandler { completion in
			service.page(argument1, completion: completion)
			return .finished
		}
	}

	func search(name: String, size: Int) async throws -> String {
		try await withCompletionHandler(valueAndError: { completion in
			service.search(name: name, size: size, completion: completion)
			return .finished
		})
	}

	func send(service givenService: String, queue givenQueue: Int) async throws {
		try await withCompletionHandler(error: { completion in
			service.send(service: givenService, queue: givenQueue, completion: completion)
			return .finished
		})
	}

	func load() async throws -> String {
		try await withCompletionHandler { completion in
			service.load(result: completion)
			return .finished
		}
	}

	func save() async throws {
		try await withCompletionHandler { completion in
			service.save(success: { completion(.success(())) }, error: { completion(.failure($0)) })
			return .finished
		}
	}
}

/// Calls completion handlers with the results of `AsyncPageService`.
struct AsyncPageServiceAdapter: PageService {
	let service: any AsyncPageService
	/// The queue on which completion handlers are called.
	let queue: DispatchQueue

	func page(in argument1: String, completion: @escaping Completion) {
		nonisolated(unsafe) let completion = completion  // Called once.
		Task {
			let result = await Result { try await service.page(in: argument1) }
			queue.async { completion(result) }
		}
	}

	func page(_ argument1: Int, completion: @escaping Completion) {
		nonisolated(unsafe) let completion = completion  // Called once.
		Task {
			let result = await Result { try await service.page(argument1) }
			queue.async { completion(result) }
		}
	}

	func search(
		name: String,
		size: Int,
		completion: @escaping (_ page: String?, _ error: (any Error)?) -> Void
	) {
		nonisolated(unsafe) let completion = completion  // Called once.
		Task {
			let result = await Result { try await service.search(name: name, size: size) }
			queue.async {
				switch result {
				case .success(let value): completion(value, nil)
				case .failure(let error): completion(nil, error)
				}
			}
		}
	}

	func send(
		service givenService: String,
		queue givenQueue: Int,
		completion: @escaping ((any Error)?) -> Void
	) {
		nonisolated(unsafe) let completion = completion  // Called once.
		Task {
			let result = await Result {
				try await service.send(service: givenService, queue: givenQueue)
			}
			queue.async {
				switch result {
				case .success: completion(nil)
				case .failure(let error): completion(error)
				}
			}
		}
	}

	func load(result givenResult: @escaping (Result<String, any Error>) -> Void) {
		nonisolated(unsafe) let givenResult = givenResult  // Called once.
		Task {
			let result = await Result { try await service.load() }
			queue.async { givenResult(result) }
		}
	}

	func save(success: @escaping () -> Void, error givenError: @escaping (any Error) -> Void) {
		nonisolated(unsafe) let success = success  // Called once.
		nonisolated(unsafe) let givenError = givenError  // Called once.
		Task {
			let result = await Result { try await service.save() }
			queue.async {
				switch result {
				case .success: success()
				case .failure(let error): givenError(error)
				}
			}
		}
	}
}
