/// How the program was compiled.
package enum BuildConfiguration {
  package static var isDebug: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }
}
