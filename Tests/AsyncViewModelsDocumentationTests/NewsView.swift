#if canImport(SwiftUI)
  import AsyncViewModelsUI
  import SwiftUI

  struct NewsView: View {
    @StateViewModel private var news: ObservedViewModel<NewsViewModel>

    init(service: any NewsService) { _news = StateViewModel(NewsViewModel(service: service)) }

    var body: some View {
      List {
        switch news.state.content {
        case .idle, .loading: Text("Loading…")
        case .loaded(let headlines): ForEach(headlines, id: \.self) { Text($0) }
        case .empty: Text("No news")
        case .failed(let error): Text(String(describing: error))
        }
      }
      .initialTask(of: news) { await $0.load() }
      .refreshable(news) { await $0.load() }
    }
  }
#endif
