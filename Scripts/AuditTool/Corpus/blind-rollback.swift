//// hazard: like is toggled back without a check
import Foundation

@MainActor
final class PostCellModel: ObservableObject {
  @Published private(set) var isLiked = false
  private let api: LikesAPI
  init(api: LikesAPI) { self.api = api }

  func toggleLike() async {
    isLiked.toggle()
    do {
      try await api.setLiked(isLiked)
    } catch {
      isLiked.toggle()  // ← here
    }
  }
}

//// hazard: the whole list is put back
import Foundation

@MainActor
final class TodoListModel {
  private(set) var todos: [Todo] = []
  private let store: RemoteTodos
  init(store: RemoteTodos) { self.store = store }

  func delete(_ todo: Todo) async {
    let backup = todos
    todos.removeAll { $0.id == todo.id }
    do {
      try await store.delete(todo.id)
    } catch {
      todos = backup  // ← here
    }
  }
}

//// hazard: quantity goes back to the old number in a callback
import Foundation

final class CartPresenter {
  private(set) var quantity = 1
  weak var view: CartView?
  private let service: CartService
  init(service: CartService) { self.service = service }

  func stepperChanged(to value: Int) {
    let old = quantity
    quantity = value
    service.update(quantity: value) { [weak self] error in
      DispatchQueue.main.async {
        if error != nil {
          self?.quantity = old  // ← here
          self?.view?.show(quantity: old)
        }
      }
    }
  }
}

//// hazard: favorite set of an actor is restored
import Foundation

actor Favorites {
  private var ids: Set<Int> = []
  let remote: FavoritesRemote
  init(remote: FavoritesRemote) { self.remote = remote }

  func add(_ id: Int) async throws {
    let snapshot = ids
    ids.insert(id)
    do {
      try await remote.add(id)
    } catch let failure {
      self.ids = snapshot  // ← here
      throw failure
    }
  }
}

//// hazard: removed row is inserted at its old index
import Foundation

@MainActor
final class PlaylistModel {
  var tracks: [Track] = []
  let library: Library
  init(library: Library) { self.library = library }

  func remove(at index: Int) async {
    let removed = tracks.remove(at: index)
    guard await library.remove(removed) else {
      tracks.insert(removed, at: index)  // ← here
      return
    }
  }
}

//// hazard: counter is decreased after a failed vote
import Observation

@MainActor @Observable
final class PollModel {
  var selected: Option?
  @ObservationIgnored let polls: PollService
  init(polls: PollService) { self.polls = polls }

  func vote(_ option: Option) async {
    let before = selected
    selected = option
    let result = await polls.vote(option)
    if case .failure = result {
      selected = before  // ← here
    }
  }
}

//// harmless: restores only its own change
import Foundation

@MainActor
final class TodoListModel {
  private(set) var todos: [Todo] = []
  private let store: RemoteTodos
  init(store: RemoteTodos) { self.store = store }

  func rename(_ id: Todo.ID, to title: String) async {
    guard let index = todos.firstIndex(where: { $0.id == id }) else { return }
    let old = todos[index].title
    todos[index].title = title
    do {
      try await store.rename(id, to: title)
    } catch {
      guard let now = todos.firstIndex(where: { $0.id == id }), todos[now].title == title else { return }
      todos[now].title = old
    }
  }
}

//// harmless: a version says whether the change is the latest
import Foundation

@MainActor
final class VolumeModel {
  private(set) var volume = 0.5
  private var version = 0
  private let speaker: Speaker
  init(speaker: Speaker) { self.speaker = speaker }

  func set(_ value: Double) async {
    let old = volume
    volume = value
    version += 1
    let mine = version
    do {
      try await speaker.setVolume(value)
    } catch {
      if mine == version { volume = old }
    }
  }
}

//// harmless: a failure loads the state of the server
import Foundation

@MainActor
final class PostCellModel {
  private(set) var likes: Likes
  private let postID: Int
  private let api: LikesAPI
  init(postID: Int, likes: Likes, api: LikesAPI) { self.postID = postID; self.likes = likes; self.api = api }

  func like() async {
    likes.mine = true
    do {
      try await api.like(postID)
    } catch {
      await reload()
    }
  }

  private func reload() async {
    if let current = try? await api.likes(postID) { likes = current }
  }
}

//// harmless: the change is shown after the answer
import Foundation

@MainActor
final class AddressModel {
  private(set) var address: Address?
  private(set) var message: String?
  private let service: AddressService
  init(service: AddressService) { self.service = service }

  func save(_ new: Address) async {
    do {
      try await service.save(new)
      address = new
    } catch {
      message = error.localizedDescription
    }
  }
}

//// harmless: undo of a local transaction without a wait
import Foundation

struct Form {
  var fields: [String: String] = [:]

  mutating func apply(_ change: Change) throws {
    let old = fields
    fields[change.key] = change.value
    do {
      try validate()
    } catch {
      fields = old
      throw error
    }
  }

  func validate() throws {}
}
