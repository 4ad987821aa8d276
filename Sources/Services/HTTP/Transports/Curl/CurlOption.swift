#if os(Linux)
  import Foundation
  import StorefrontDomain

  /// Options of a transfer, with libcurl's numbers (`CURLOPT_…` in curl/curl.h).
  enum CurlOption {
    static let bodyContext: CInt = 10001
    static let url: CInt = 10002
    static let headers: CInt = 10023
    static let headContext: CInt = 10029
    static let method: CInt = 10036
    static let noBody: CInt = 44
    static let post: CInt = 47
    static let freshConnection: CInt = 74
    static let forbidReuse: CInt = 75
    static let httpVersion: CInt = 84
    static let noSignal: CInt = 99
    static let acceptedEncodings: CInt = 10102
    static let context: CInt = 10103
    static let copiedBody: CInt = 10165
    static let startContext: CInt = 10313
    static let protocols: CInt = 181
    static let pathAsIs: CInt = 234
    static let hideHeadsOfProxies: CInt = 265
    static let quickExit: CInt = 322
    static let bodyReceiver: CInt = 20011
    static let headReceiver: CInt = 20079
    static let starter: CInt = 20312
    static let bodyLength: CInt = 30120

    static let httpAndHTTPS = 0b11
    static let http1_1 = 2
  }

  /// Options of the handle of the connections (`CURLMOPT_…` in curl/multi.h).
  enum CurlMultiOption {
    static let idleConnections: CInt = 6
  }

  /// Facts about a transfer, with libcurl's numbers (`CURLINFO_…` in curl/curl.h).
  enum CurlInfo {
    static let status: CInt = 0x20_0000 + 2
    static let systemError: CInt = 0x20_0000 + 25
    static let remotePort: CInt = 0x20_0000 + 40
    static let localPort: CInt = 0x20_0000 + 42
    static let uploadedBytes: CInt = 0x60_0000 + 7
    static let downloadedBytes: CInt = 0x60_0000 + 8
  }

  /// The rule that turns libcurl's result (`CURLE_…` in curl/curl.h) into an error of the service.
  enum CurlFailure {
    static func error(_ result: CInt, systemError: CInt) -> ServiceError {
      switch result {
      // The protocol of the URL or of the response, and a first line that is not HTTP.
      case 1, 3, 8: .malformed("it is not HTTP")
      // A line of the head above libcurl's own limit. Its name for 27 is "out of memory".
      case 27, 100: .malformed("its head is too long")
      case 5, 6: .unreachable("the host is unknown")
      case 7 where [ENETDOWN, ENETUNREACH].contains(systemError): .offline
      case 7: .unreachable("the host does not accept the connection")
      case 28: .timedOut
      case 61: .malformed("its body cannot be decompressed")
      // The handshake, certificates and their files, and engines.
      case 35, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .insecure
      default: .connectionLost
      }
    }
  }
#endif
