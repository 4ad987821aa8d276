// Long values, comments on one line, and statements that share a line.
final class PageViewModel {
    struct State {
        var number: Int
        var title: String
        var text = """
            one
              two

            three
            """
        var total: Int = {
            let first = 1
            return first
        }()
        var size: Int
    }

    private(set) var state: State
    var text: String { state.text }
    var total: Int {
        get { state.total }
        set { state.total = newValue }
    }
    var size: Int {
        get { state.size }
        set {
            let oldValue = state.size
            state.size = newValue
            /* the old */ print(oldValue) /* done */
        }
    }

    init(number: Int, title: String) {
        state = State(number: number, title: title, size: 1); start(); state.text += "x"
    }

    func start() { state.number += 1; print(state.title) }
}
