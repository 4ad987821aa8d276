import Audit
import SwiftSyntax

struct StateStructStep: Step {
  let name = "state-struct"
  let summary = ""
  let page = ""
  func changes(in scope: Scope) -> [Change] { [] }
}
struct StateStoreStep: Step {
  let name = "state-store"
  let summary = ""
  let page = ""
  func changes(in scope: Scope) -> [Change] { [] }
}
