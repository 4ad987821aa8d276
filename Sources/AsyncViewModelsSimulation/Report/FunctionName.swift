/// Shortens the demangled name of a function for a timeline.
enum FunctionName {
  /// The name without its module, its parameters and its types, as `SearchModel.find` or
  /// `a closure of SearchModel.search`. Nil for code that the compiler adds, as a thunk.
  static func short(_ demangled: String) -> String? {
    guard let parts = declarations(in: demangled), let outermost = parts.last.map(path(of:)),
      !outermost.isEmpty
    else { return nil }
    guard parts.count > 1 else { return outermost }
    return (parts[0].hasPrefix("closure #") ? closure : path(of: parts[0]) + " of ") + outermost
  }

  /// The module of the function, or of the extension in which it is declared. Nil for code that the
  /// compiler adds.
  static func module(_ demangled: String) -> Substring? {
    guard var text = declarations(in: demangled)?.last else { return nil }
    text.trimPrefix(kinds)
    return text.prefixMatch(of: extensionPrefix)?.1 ?? text.prefix { $0 != "." }
  }

  /// The declarations that contain the code, from the innermost function outward. Nil for code that
  /// the compiler adds.
  private static func declarations(in demangled: String) -> [Substring]? {
    // A private declaration is written as `(name in _DISCRIMINATOR)`.
    var text = demangled.replacing(#/\((\w+) in _[0-9A-F]+\)/#) { $0.1 }[...]
    text.trimPrefix(#/\(\d+\) (await|suspend) resume partial function for /#)
    text.trimPrefix(#/(merged )?(partial apply forwarder for )?(implicit )?/#)
    // The optimizer's copy of a function for certain types or arguments.
    while text.hasPrefix("generic ") || text.hasPrefix("function signature specialization ") {
      let parts = split(text, at: " of ")
      guard parts.count > 1 else { return nil }
      text = text[parts[1].startIndex...]
    }
    guard !hiddenKinds.contains(where: text.hasPrefix) else { return nil }
    return split(text, at: " in ")
  }

  /// The beginning of the name of a closure.
  static let closure = "a closure of "

  /// What the compiler adds. The function that it passes a call on to is the next on the stack.
  private static let hiddenKinds = [
    "reabstraction thunk", "protocol witness for", "dispatch thunk", "default argument", "objectivec thunk",
    "vtable thunk", "distributed thunk", "back deployment thunk",
  ]

  private static var kinds: some RegexComponent {
    #/(variable initialization expression of )?(static )?/#
  }
  private static var extensionPrefix: Regex<(Substring, Substring)> { #/\(extension in (\w+)\):/# }

  /// The parts between the separators outside of brackets.
  private static func split(_ text: Substring, at separator: String) -> [Substring] {
    var parts: [Substring] = []
    var (start, depth, index) = (text.startIndex, 0, text.startIndex)
    while index < text.endIndex {
      let rest = text[index...]
      if rest.hasPrefix("->") {
        index = text.index(index, offsetBy: 2)
        continue
      }
      if depth == 0, rest.hasPrefix(separator) {
        parts.append(text[start..<index])
        start = text.index(index, offsetBy: separator.count)
      }
      if "([<".contains(text[index]) { depth += 1 }
      if ")]>".contains(text[index]) { depth -= 1 }
      index = text.index(after: index)
    }
    return parts + [text[start...]]
  }

  /// The dotted name in a declaration, without the module and the types of generic parameters.
  private static func path(of declaration: Substring) -> String {
    var text = declaration
    text.trimPrefix(kinds)
    text.trimPrefix(extensionPrefix)
    let rest = withoutGenericArguments(text)
    let path = rest.prefix { $0 != " " && $0 != "(" }
    var names = path.split(separator: ".")
    // The type of a property follows its accessor.
    if rest.dropFirst(path.count).hasPrefix(" : ") { names.removeAll { accessors.contains($0) } }
    return names.dropFirst(names.count > 1 ? 1 : 0).joined(separator: ".")
      .replacing("__allocating_init", with: "init")
  }

  private static let accessors: Set<Substring> = [
    "getter", "setter", "modify", "read", "willset", "didset", "unsafeAddressor",
  ]

  /// The text without what stands in angle brackets, up to the first space or parenthesis outside
  /// of them.
  private static func withoutGenericArguments(_ text: Substring) -> String {
    var (result, depth) = ("", 0)
    for (index, character) in zip(text.indices, text) {
      if depth == 0, " (".contains(character) { return result + text[index...] }
      if character == "<" { depth += 1 }
      if depth == 0 { result.append(character) }
      if character == ">" { depth -= 1 }
    }
    return result
  }
}
