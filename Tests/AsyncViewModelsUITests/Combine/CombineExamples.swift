#if canImport(Combine)
  import AsyncViewModelsUI
  import Combine

  /// The examples of the page `UsingCombine`, which must compile as a client writes them.
  private enum CombineExamples {
    struct CartState: Sendable {
      var total = 0
    }

    @MainActor
    final class CartScreen {
      private var cancellables: Set<AnyCancellable> = []

      func bind(_ model: StateStore<CartState>) {
        model.publisher(on: MainActor.shared).map(\.total).removeDuplicates()
          .sink { [weak self] total in self?.show(total) }
          .store(in: &cancellables)
      }

      private func show(_ total: Int) {}
    }

    actor SearchModel {
      func setQuery(_ query: String) {}
    }

    static func follow(_ textChanges: PassthroughSubject<String, Never>, _ search: SearchModel) async {
      for await query in textChanges.stream() { await search.setQuery(query) }
    }
  }
#endif
