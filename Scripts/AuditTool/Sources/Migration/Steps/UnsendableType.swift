import Audit
import SwiftSyntax

/// A type whose values must not be passed between threads.
struct UnsendableType {
  let name: String
  /// Why, and what to do, after its name: "a class that is not Sendable: …".
  let reason: String

  fileprivate init?(_ type: TypeInfo, _ name: String, in project: Project) {
    switch type.kind {
    case .class: reason = "a class that is not Sendable: make it Sendable or a struct first"
    case .protocol:
      if project.inherits(type, from: ["Sendable", "Error", "Actor"]) { return nil }
      reason = "a protocol that is not Sendable: let it inherit `Sendable` first"
    default: return nil
    }
    self.name = name
  }

  /// A type of the standard library or of Foundation.
  fileprivate init?(foreign name: String) {
    guard foreignTypes.contains(name) else { return nil }
    self.name = name
    reason = "a type that is not Sendable: use a struct or another Sendable value first"
  }
}

/// Types that the compiler lets no task capture. The other classes of Foundation are Sendable, or
/// nothing is known about them here.
private let foreignTypes: Set = [
  "Any", "AnyHashable", "AnyObject", "ISO8601DateFormatter", "InputStream", "NSArray",
  "NSAttributedString", "NSCache", "NSCalendar", "NSCharacterSet", "NSCoder", "NSCompoundPredicate",
  "NSCountedSet", "NSData", "NSDateComponents", "NSDictionary", "NSEnumerator", "NSExpression",
  "NSFetchRequest", "NSHashTable", "NSIndexPath", "NSIndexSet", "NSKeyedArchiver",
  "NSKeyedUnarchiver", "NSManagedObject", "NSMapTable", "NSMutableArray",
  "NSMutableAttributedString", "NSMutableData", "NSMutableDictionary", "NSMutableIndexSet",
  "NSMutableOrderedSet", "NSMutableSet", "NSMutableString", "NSMutableURLRequest", "NSNotification",
  "NSObject", "NSOrderedSet", "NSPredicate", "NSSet", "NSSortDescriptor", "NSString", "NSTimeZone",
  "NSURLComponents", "NSURLRequest", "Notification", "OutputStream", "RunLoop", "Scanner", "Thread",
  "Timer", "URLProtocol", "UserDefaults", "XMLParser",
]

extension Project {
  /// A type in written types that must not be passed between threads, also as a part of a struct or
  /// an enum.
  func unsendableType(in types: [String], of scope: TypeInfo?) -> UnsendableType? {
    var seen: Set<ObjectIdentifier> = []
    func find(_ types: [String], _ scope: TypeInfo?) -> UnsendableType? {
      // `any Tracker & Sendable`
      for written in types.filter({ !($0.contains("&") && $0.contains("Sendable")) }).flatMap(\.writtenTypes)
      {
        // `Item` in the value `Item.empty`.
        let name = written.split(separator: ".").prefix { $0.first?.isLowercase != true }.joined(
          separator: ".")
        guard let known = type(named: name, in: scope), known.kind != .unknown else {
          // A member of a type, such as `UserDefaults.standard`, has another type.
          if let found = UnsendableType(foreign: written) { return found }
          continue
        }
        guard seen.insert(ObjectIdentifier(known)).inserted, !known.isSendable, !isMainActor(known)
        else { continue }
        if let found = UnsendableType(known, name, in: self) { return found }
        if [.struct, .enum].contains(known.kind), let found = find(known.parts, known) { return found }
      }
      return nil
    }
    return find(types, scope)
  }
}

extension TypeInfo {
  /// Whether the type says that it can be passed between threads.
  var isSendable: Bool { inherited.contains { $0.split(separator: " ").last == "Sendable" } }

  /// The types of the stored properties, and of the values of the cases.
  fileprivate var parts: [String] {
    let stored = properties.values.filter { $0.isStored && !$0.isStatic }.sorted { $0.name < $1.name }
    let cases = blocks.flatMap(\.members).compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
    let values = cases.flatMap(\.elements).flatMap { $0.parameterClause.map { Array($0.parameters) } ?? [] }
    return stored.map { $0.isClosure ? "" : $0.binding?.typeAnnotation?.type.code ?? $0.type }
      + values.map(\.type.code)
  }
}

extension String {
  /// The names in a written type, each with the types around it: `Feed.Page` in `[Feed.Page]?`.
  fileprivate var writtenTypes: [String] {
    split { !$0.isLetter && !$0.isNumber && !"_.".contains($0) }.map(String.init)
  }
}
