/// Checks that the parser reports the same for a stream in pieces and as a whole, and stays within its limits.
///
/// The first byte of the input is the seed of the places at which the rest is split.
func fuzzServerSentEventParser(_ input: [UInt8]) {
  guard let seed = input.first else { return }
  let bytes = input.dropFirst()
  let whole = Outcome(of: [bytes])
  check(whole == Outcome(of: split(bytes, seed: seed)), "the pieces give other events")
  check(whole == Outcome(of: bytes.indices.map { bytes[$0...$0] }), "the bytes give other events")
  for event in whole.events {
    // A replacement character takes three bytes and stands for at least one byte.
    check(event.data.utf8.count <= 3 * Outcome.limits.dataLength, "the data is too long")
    check(event.lastEventID.utf8.count <= 3 * Outcome.limits.lineLength, "the ID is too long")
    check(event.type.utf8.count <= 3 * Outcome.limits.lineLength, "the type is too long")
  }
  checkMemory(bytes)
}

/// Checks that the memory of a parser does not grow with the length of the stream: the input again and again, without its
/// events.
private func checkMemory(_ bytes: ArraySlice<UInt8>) {
  var parser = ServerSentEventParser(lastEventID: "0", limits: Outcome.limits)
  var events: [ServerSentEvent] = []
  // An event needs at least 6 bytes, so the buffer does not grow while the memory is measured.
  events.reserveCapacity(bytes.count / 6 + 1)
  let before = allocatedByteCount()
  var (round, growth) = (0, 0)
  // Four rounds are enough for most inputs. More of them show whether a larger memory still grows.
  while round < 4 || round < 64 && growth > 1_024 {
    guard (try? parser.parse(bytes, into: &events)) != nil else { break }
    events.removeAll(keepingCapacity: true)
    growth = allocatedByteCount() - before
    round += 1
  }
  check(growth <= 4_096, "the parser keeps \(growth) bytes after \(round) rounds")
}

/// Everything that a parser reports about a stream.
private struct Outcome: Equatable {
  /// Short limits, so that short inputs reach them.
  static let limits = ServerSentEventParser.Limits(lineLength: 32, dataLength: 64)

  var events: [ServerSentEvent] = []
  var error: ServerSentEventError?
  var lastEventID: String
  var retry: Int?

  init(of pieces: [ArraySlice<UInt8>]) {
    var parser = ServerSentEventParser(lastEventID: "0", limits: Self.limits)
    do throws(ServerSentEventError) {
      for piece in pieces { try parser.parse(piece, into: &events) }
    } catch {
      self.error = error
    }
    lastEventID = parser.lastEventID
    retry = parser.reconnectionMilliseconds
  }
}

/// Splits the bytes at places that depend only on the seed: a linear congruential generator (Knuth, "The Art of Computer
/// Programming", volume 2, section 3.3.4).
private func split(_ bytes: ArraySlice<UInt8>, seed: UInt8) -> [ArraySlice<UInt8>] {
  var state = UInt64(seed)
  var pieces: [ArraySlice<UInt8>] = []
  var rest = bytes
  while !rest.isEmpty {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    pieces.append(rest.prefix(Int(state >> 61)))
    rest = rest.dropFirst(Int(state >> 61))
  }
  return pieces
}
