import Foundation

// Braces on their own lines, tabs, private types, and names that locals hide.
final class CartViewModel: Equatable
{
	private enum Phase { case idle, failed(any Error) }

	/// The phase.
	private var phase: Phase = .idle // starts idle
	private var count = 0 /* of items */
	fileprivate(set) var title: String
	private var names: [String]

	init(title: String, state names: [String])
	{
		// The title.
		self.title = title
		self.names = names // the names
	}

	static func == (lhs: CartViewModel, rhs: CartViewModel) -> Bool
	{
		lhs.count == rhs.count && lhs.names == rhs.names
	}

	func text(state: String) -> String
	{
		count += 1
		if let count = names.first { return count }
		return "\(state) \(count) of \(names.count)"
	}

	func load(count: Int)
	{
		self.count += count
		defer { names.append("a") }
		do { try check() } catch { phase = .failed(error) }
		for (count, name) in names.enumerated() { print(count, name) }
		DispatchQueue.main.async { [weak self] in
			guard let strongSelf = self else { return }
			strongSelf.count += 1
			self?.names.append("b")
		}
	}

	func take(_ other: CartViewModel)
	{
		(count, names) = (other.count, other.names)
	}

	func check() throws {}
}

final class CartScreen
{
	let model = CartViewModel(title: "a", state: [])
	func rename() { model.title = "b" }
}
