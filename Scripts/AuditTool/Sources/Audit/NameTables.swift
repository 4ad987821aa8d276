/// The camel-case words of a name: `search` and `text` for `searchText`, `url` and `id` for `URLId`.
func words(of name: String) -> [String] {
  var words: [String] = [], current = ""
  let letters = Array(name)
  for (index, letter) in letters.enumerated() {
    guard letter.isLetter || letter.isNumber else {
      words.append(current)
      current = ""
      continue
    }
    let next = index + 1 < letters.count ? letters[index + 1] : nil
    let isStart =
      letter.isUppercase && (current.last?.isUppercase != true || next?.isLowercase == true)
    if isStart {
      words.append(current)
      current = ""
    }
    current.append(letter)
  }
  return (words + [current]).filter { !$0.isEmpty }.map { $0.lowercased() }
}

/// Words of names that say what code is for. Types do not say it, so the audit reads names.
///
/// An entry is one word, or up to three words written as one: `searchtext`.
struct NameTable {
  private let entries: Set<String>

  /// Reads the entries from text, so that a table is short to read.
  init(_ text: String) { entries = Set(text.split(whereSeparator: \.isWhitespace).map(String.init)) }

  /// Whether a name has an entry as a word, or as several words in a row.
  func isIn(_ name: String) -> Bool {
    let parts = words(of: name)
    return parts.indices.contains { start in
      (1...3).contains { count in
        start + count <= parts.count && entries.contains(parts[start..<start + count].joined())
      }
    }
  }

  /// Whether a name begins with an entry.
  func begins(_ name: String) -> Bool {
    let parts = words(of: name)
    return (1...3).contains { $0 <= parts.count && entries.contains(parts[..<$0].joined()) }
  }

  /// Whether a name ends with an entry.
  func ends(_ name: String) -> Bool {
    let parts = words(of: name)
    return (1...3).contains { $0 <= parts.count && entries.contains(parts.suffix($0).joined()) }
  }
}

extension NameTable {
  // MARK: State

  /// A flag that says that work goes on.
  static let busy = NameTable(
    """
    loading busy fetching refreshing checking spinner progress saving sending searching submitting working processing updating
    syncing uploading downloading executing inflight running pending
    """)
  /// A flag that says that a load has been done.
  static let loaded = NameTable(
    """
    load loaded loads fetch fetched fetches initial initialized initially sync synced refresh refreshed prepare prepared
    bootstrap bootstrapped hydrated populate populated download downloaded ready setup configured started warm warmed firsttime
    request requested restored imported
    """)
  /// What is kept after a load.
  static let kept = NameTable("cache cached")
  /// The time of the last load.
  static let loadDate = NameTable("loaded fetched refresh refreshed synced updated sync fetch load update")
  /// A flag that a load has to be done.
  static let toDo = NameTable("first needs should")
  static let load = NameTable("load fetch sync refresh appear appearance loading")
  static let failure = NameTable("error errors failure failures fail failed problem fault")
  static let progress = NameTable("error errors loading spinner progress")

  // MARK: Inputs

  /// What a person changes while an answer is awaited.
  static let input = NameTable(
    "query searchtext text filter term keyword selected currentid input category scope sortorder selection")
  /// Functions that a new input calls.
  static let changing = NameTable(
    """
    search searching query select selected selection filter filters change changed changes typed suggest suggestions complete
    completions configure show switch prefix term sort sorted tab page segment scroll scrolled pick picked update updated lookup
    zoom move moved preview display set autocomplete focus highlight open choose
    """)
  /// Functions that a text field or a scroll view calls for each input.
  static let typing = NameTable(
    """
    textdidchange searchtext updatesearchresults setquery querychanged textchanged typed debounce debounced editingchanged
    keystroke suggestions autocomplete scrolled valuechanged
    """)
  /// Words of such functions that say so only beside a text: `search(_ text: String)`.
  static let lookup = NameTable("search searching filter lookup input schedule suggest didchange")
  /// Work for one thing that a person does once.
  static let action = NameTable(
    """
    save delete login logout signin signout submit post upload purchase buy create add remove register toggle like favorite
    checkout pay confirm rename upgrade send vote follow download prefetch cache store report track
    """)
  /// Functions of a service that change what it keeps.
  static let write = NameTable(
    """
    save update delete create add remove insert upsert edit rename replace upload submit mark archive restore publish post put
    patch store persist register unregister subscribe unsubscribe enable disable toggle
    """)
  /// Words of functions that ask, also if a word of `write` begins their name: `updateResults`.
  static let read = NameTable(
    "search searching query result results suggestion suggestions completions preview filter filtered hits matches"
  )
  /// What a person does to a control.
  static let tap = NameTable(
    "action tap tapped button press pressed dismiss dismissed cancel cancelled retry confirm undo")
  static let page: Set = [
    "page", "pageNumber", "pageSize", "pageIndex", "nextPage", "perPage", "offset", "limit", "cursor", "skip",
  ]
  static let shows = NameTable("show display render update present set did on")
  static let screen = NameTable(
    "view output delegate presenter screen display controller label cell ui listener observer")

  // MARK: Closures

  static let completion = NameTable(
    "complete completed completion completions completing finish finished finishing reply done then oncomplete onfinish ondone"
  )
  static let callback = NameTable("handler callback result results response respond block closure answer")
  /// A closure that gets a part of the answer, or what is there before it comes.
  static let partial = NameTable("progress partial step chunk update updates updated change changes changed")
  static let preliminary = NameTable("cached cache stale preliminary")
  /// The failure of a promise, in a chain with its success.
  static let rejection = NameTable("catch recover failure fail rejected onerror")
  static let outcome = NameTable("success failure error fail failed")
  /// Functions whose closure is called for each value.
  static let observing = NameTable(
    """
    observe subscribe listen bind on add register watch monitor poll stream track each enumerate set start schedule repeat
    debounce throttle
    """)
  static let changes = NameTable("change changes changed update updates updated")
  static let storedClosure = NameTable("handler callback completion closure onchange block")
  /// A parameter that the caller writes for one run under the lock.
  static let body = NameTable(
    """
    body work block action transform update mutate change operation perform mutation closure access execute predicate
    """)
  /// Flags that keep a second call out.
  static let once = NameTable(
    """
    resumed didresume didfinish isfinished didcomplete iscompleted hascompleted didcall called once isfirst answered hasreturned isdone
    hasresponded fired finished completed
    """)

  // MARK: Isolation

  /// Functions whose callers hold the lock, or run on the queue.
  static let guarded = NameTable("locked unlocked unsafe unsafely onqueue")
  static let delegate = NameTable("delegate observer listener subscriber datasource")

  // MARK: Time

  /// Calls that begin work which can still run when they return.
  static let begins = NameTable(
    """
    load fetch save store start present dismiss push pop reload request sync refresh insert delete update connect open login
    signin configure upload download send post submit import prepare register perform write add remove fill migrate layout warm
    setup bootstrap authenticate begin scan play animate endediting resign become restore append navigate show select activate
    apply install
    """)
  /// What a delay is for: to show something for a while, or to try again later.
  static let deliberate = NameTable(
    """
    hide hides hidden fade faded toast banner retry retries attempt attempts backoff highlight highlighted snackbar tooltip
    debounce debounced throttle throttled poll polling tick reconnect hint hints copied flash shake confetti cancel cancelled
    canceled timeout timedout deadline expire expired expires blink pulse simulate simulated simulator feedback splash checkmark
    """)
}
