/// What a person may change of a profile, in the order in which a form shows it.
public enum ProfileField: String, CaseIterable, Codable, Sendable {
  case name, email
}
