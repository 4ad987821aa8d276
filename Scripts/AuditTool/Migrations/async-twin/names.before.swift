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
