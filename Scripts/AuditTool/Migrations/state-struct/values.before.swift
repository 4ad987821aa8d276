// Long values, comments on one line, and statements that share a line.
final class PageViewModel {
    private var number: Int
    private var title: String
    private(set) var text = """
        one
          two

        three
        """
    var total: Int = {
        let first = 1
        return first
    }()
    var size: Int { didSet { /* the old */ print(oldValue) /* done */ } }

    init(number: Int, title: String) {
        self.number = number; self.title = title; size = 1; start(); text += "x"
    }

    func start() { number += 1; print(title) }
}
