import Foundation

// Braces on their own lines, tabs, private types, and names that locals hide.
final class CartViewModel: Equatable
{
	fileprivate enum Phase { case idle, failed(any Error) }

	struct State {
		/// The phase.
		fileprivate var phase: Phase = .idle // starts idle
		var count = 0 /* of items */
		var title: String
		var names: [String]
	}

	private(set) var state: State
	fileprivate(set) var title: String {
		get { state.title }
		set { state.title = newValue }
	}

	init(title: String, state names: [String])
	{
		// The title.
		self.state = State(title: title, names: names) // the names
	}

	static func == (lhs: CartViewModel, rhs: CartViewModel) -> Bool
	{
		lhs.state.count == rhs.state.count && lhs.state.names == rhs.state.names
	}

	func text(state: String) -> String
	{
		self.state.count += 1
		if let count = self.state.names.first { return count }
		return "\(state) \(self.state.count) of \(self.state.names.count)"
	}

	func load(count: Int)
	{
		self.state.count += count
		defer { state.names.append("a") }
		do { try check() } catch { state.phase = .failed(error) }
		for (count, name) in state.names.enumerated() { print(count, name) }
		DispatchQueue.main.async { [weak self] in
			guard let strongSelf = self else { return }
			strongSelf.state.count += 1
			self?.state.names.append("b")
		}
	}

	func take(_ other: CartViewModel)
	{
		(state.count, state.names) = (other.state.count, other.state.names)
	}

	func check() throws {}
}

final class CartScreen
{
	let model = CartViewModel(title: "a", state: [])
	func rename() { model.title = "b" }
}
