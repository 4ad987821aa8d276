import SwiftSyntax

/// How a function of a service answers later.
enum Answer: String, Sendable {
  case handler = "completion handlers"
  case async
  case stream = "async streams"
  case combine = "Combine"
  case rx = "RxSwift"
  case delegate
}

/// How a view model publishes, in the order of how far it is from the destination.
enum Form: String, Sendable, CaseIterable {
  case callbackState = "callback state"
  case boxes
  case closures
  case delegate
  case rx = "RxSwift"
  case combine = "Combine"
  case stateSource = "state streams"
  case observable = "@Observable"
  case async
  case actor
  case plain = "no publication"
}

private let rxTypes: Set = [
  "BehaviorRelay", "PublishRelay", "ReplayRelay", "BehaviorSubject", "PublishSubject", "ReplaySubject",
  "Driver", "Signal", "Single", "Maybe", "Completable", "Infallible",
]
private let boxTypes: Set = ["Observable", "Box", "Dynamic", "Bindable", "LiveData", "ObservableProperty"]
private let combineTypes: Set = [
  "PassthroughSubject", "CurrentValueSubject", "AnyPublisher", "Future", "Published",
]
private let streamTypes: Set = ["AsyncStream", "AsyncThrowingStream", "AsyncSequence"]
private let observing = [
  "observe", "bind", "subscribe", "listen", "watch", "register", "on", "add", "set", "animate", "notify",
  "perform", "with",
]

extension Project {
  /// The first name in the text of a type: `Observable` for `Observable<Int>`.
  private func head(_ type: String) -> String {
    String(type.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }

  private func isBox(_ name: String) -> Bool {
    guard let type = types[name] else { return false }
    let holdsValue = type.properties.values.contains { $0.name == "value" || $0.name == "wrappedValue" }
    return type.kind == .class && holdsValue
      && (boxTypes.contains(name)
        || type.properties.values.contains { $0.accessors?.code.contains("didSet") == true })
  }

  /// Otherwise, it is a box of the app whose declaration is not in the files.
  private func isRxObservable(_ name: String) -> Bool {
    usesRx && name == "Observable" && types[name] == nil
  }

  /// How a function answers later. `nil` if it answers with its result, or calls its closure while it
  /// runs.
  func answer(of function: FunctionDeclSyntax) -> Answer? {
    let signature = function.signature
    let result = signature.returnClause?.type.code ?? ""
    for name in result.split(whereSeparator: { !$0.isLetter }).map(String.init) {
      if streamTypes.contains(name) { return .stream }
      if combineTypes.contains(name) { return .combine }
      if rxTypes.contains(name) || isRxObservable(name) { return .rx }
    }
    if signature.effectSpecifiers?.asyncSpecifier != nil { return .async }
    // An action of an alert or of a menu, whose handler runs if the person chooses it.
    if result.hasPrefix("UI"), result.trimmed("?").hasSuffix("Action") { return nil }
    let observes = observes(function.name.text)
    let handlers = signature.parameterClause.parameters.filter(isHandler)
    let completes = handlers.contains {
      ($0.secondName ?? $0.firstName).text.lowercased().hasPrefix("complet")
    }
    return handlers.isEmpty || observes && !completes ? nil : .handler
  }

  private func observes(_ name: String) -> Bool {
    observing.contains { prefix in
      name.hasPrefix(prefix) && name.dropFirst(prefix.count).first.map { !$0.isLowercase } != false
    }
  }

  /// Whether a call passes a completion handler, as far as the call shows.
  func takesHandler(_ call: FunctionCallExprSyntax) -> Bool {
    if call.parent?.is(AwaitExprSyntax.self) == true { return false }
    return call.arguments.contains { $0.label?.text.lowercased().hasPrefix("complet") == true }
      || !call.closures.isEmpty && !observes(call.name)
  }

  /// Whether a parameter is a closure that gets a result: it escapes, and returns nothing. Work to run
  /// and callbacks that come several times are no handlers.
  func isHandler(_ parameter: FunctionParameterSyntax) -> Bool {
    let name = (parameter.secondName ?? parameter.firstName).text.lowercased()
    if ["on", "progress", "update"].contains(where: name.hasPrefix) { return false }
    var type = parameter.type, escapes = false
    if let attributed = type.as(AttributedTypeSyntax.self) {
      escapes = attributeNames(attributed.attributes).contains("escaping")
      type = attributed.baseType
    }
    var code = String(type.code.filter { !$0.isWhitespace })
    if code.hasSuffix("?") { escapes = true }
    if let alias = aliases[head(code.trimmed("?"))] { code = String(alias.filter { !$0.isWhitespace }) }
    let result = code.trimmed("?)")
    let isWork = code.replacing("@Sendable", with: "").drop { $0 == "(" }.hasPrefix(")->")
    let isCompletion = ["complet", "done", "finish", "handler"].contains(where: name.contains)
    return escapes && (!isWork || isCompletion) && code.contains("->") && !code.contains(")async")
      && (result.hasSuffix("->Void") || result.hasSuffix("->("))
  }

  /// Whether a function also calls a closure before its completion handler, with a part of its answer.
  /// One handler for success and one for failure are one answer.
  func hasPartialAnswers(_ function: FunctionDeclSyntax) -> Bool {
    let handlers = function.signature.parameterClause.parameters.filter(isHandler)
      .map { ($0.secondName ?? $0.firstName).text.lowercased() }
    return handlers.count > 1 && !handlers.contains { $0.contains("fail") || $0.contains("error") }
  }

  /// Whether a framework calls a function: as the delegate of an object of the framework.
  private func isSystemCallback(_ function: FunctionDeclSyntax, of type: TypeInfo) -> Bool {
    function.signature.parameterClause.parameters.first?.firstName.text == "_"
      && type.inherited.contains { name in
        types[name] == nil && ["Delegate", "DataSource"].contains(where: name.hasSuffix)
      }
  }

  /// The functions of a type that answer later, each once, with how they answer.
  func answers(of type: TypeInfo) -> [(name: String, answer: Answer)] {
    var found: [(name: String, answer: Answer)] = []
    for (name, functions) in type.functions.sorted(by: { $0.key < $1.key }) {
      let visible = functions.filter { function in
        !function.modifiers.contains { $0.name.text.hasSuffix("private") || $0.name.text == "override" }
          && !isSystemCallback(function, of: type)
      }
      for answer in Set(visible.compactMap(answer(of:))).sorted(by: { $0.rawValue < $1.rawValue }) {
        found.append((name, answer))
      }
    }
    // A command that gets its handler when it is made.
    if type.kind == .class, !found.contains(where: { $0.answer == .handler }),
      type.initializers.contains(where: { initializer in
        initializer.signature.parameterClause.parameters.contains {
          isHandler($0) && ($0.secondName ?? $0.firstName).text.lowercased().hasPrefix("complet")
        }
      })
    {
      found.append(("init", .handler))
    }
    return found
  }

  /// The forms of a view model with the members that show them, the one with the most members first.
  ///
  /// A class without own ones has those of its superclass.
  func forms(of type: TypeInfo, depth: Int = 0) -> [(form: Form, members: [String])] {
    var members: [Form: [String]] = [:]
    let inherited = Set(type.inherited)
    if !inherited.isDisjoint(with: ["CallbackStateSource"]) { members[.callbackState] = ["store"] }
    if inherited.contains("ViewModelActor") {
      members[.actor] = ["ViewModelActor"]
    } else if inherited.contains("StateSource") {
      members[.stateSource] = ["store"]
    }
    for property in type.properties.values.sorted(by: { $0.name < $1.name }) where !property.isStatic {
      let name = head(property.plainType)
      let isDelegate =
        property.isWeak
        && (property.name.lowercased().contains("delegate") || ["view", "output"].contains(property.name)
          || ["Delegate", "Output", "View", "ViewProtocol", "ViewInput", "Listener"]
            .contains { property.plainType.hasSuffix($0) })
      if property.attributes.contains("Published") || combineTypes.contains(name) {
        members[.combine, default: []].append(property.name)
      } else if isBox(name) || boxTypes.contains(name) && types[name] == nil && !isRxObservable(name) {
        members[.boxes, default: []].append(property.name)
      } else if rxTypes.contains(name) || isRxObservable(name) {
        members[.rx, default: []].append(property.name)
      } else if isDelegate {
        members[.delegate, default: []].append(property.name)
      } else if streamTypes.contains(name) {
        members[.async, default: []].append(property.name)
      } else if property.isClosure, property.isStored, !property.isLet {
        members[.closures, default: []].append(property.name)
      }
    }
    if members[.combine] == nil, inherited.contains("ObservableObject") {
      members[.combine] = ["ObservableObject"]
    }
    if type.attributes.contains("Observable") { members[.observable] = ["@Observable"] }
    if type.isActor, members[.actor] == nil { members[.actor] = ["actor"] }
    let awaiting = type.functions.values.joined()
      .filter { $0.signature.effectSpecifiers?.asyncSpecifier != nil }
      .map(\.name.text)
    if !awaiting.isEmpty { members[.async, default: []] += Set(awaiting).sorted() }
    guard !members.isEmpty else {
      return depth < 5
        ? type.superclass.map { forms(of: $0, depth: depth + 1) } ?? [(.plain, [])] : [(.plain, [])]
    }
    let legacy: [Form] = [.callbackState, .boxes, .closures, .delegate, .rx, .combine]
    return members.sorted { left, right in
      func rank(_ item: (key: Form, value: [String])) -> (Int, Int, Int) {
        let index = Form.allCases.firstIndex(of: item.key)!
        if [.callbackState, .stateSource, .observable, .actor].contains(item.key) {
          return (0, 0, index)
        }
        return legacy.contains(item.key) ? (1, -item.value.count, index) : (2, 0, index)
      }
      return rank(left) < rank(right)
    }.map { (form: $0.key, members: $0.value) }
  }
}
