import Ccurl
import Testing

@testable import CacheClient

@Suite("The errors of libcurl")
struct TransportErrorTests {
    @Test(
        "Each of libcurl's errors has the kind of its cause",
        arguments: [
            (CURLE_URL_MALFORMAT, .badURL), (CURLE_LOGIN_DENIED, .badURL),
            (CURLE_COULDNT_RESOLVE_HOST, .cannotFindHost), (CURLE_COULDNT_CONNECT, .cannotConnect),
            (CURLE_OPERATION_TIMEDOUT, .timedOut), (CURLE_PARTIAL_FILE, .connectionLost),
            (CURLE_GOT_NOTHING, .connectionLost), (CURLE_RECV_ERROR, .connectionLost),
            (CURLE_SEND_ERROR, .connectionLost), (CURLE_HTTP2_STREAM, .connectionLost),
            (CURLE_UNSUPPORTED_PROTOCOL, .cannotParse), (CURLE_WEIRD_SERVER_REPLY, .cannotParse),
            (CURLE_OUT_OF_MEMORY, .unknown),
        ] as [(CURLcode, TransportError.Kind)]
    )
    func kinds(code: CURLcode, kind: TransportError.Kind) {
        #expect(TransportError(code, text: "").kind == kind)
    }

    @Test("The detail is libcurl's message about the exchange, or else about the code, as a sentence")
    func details() {
        #expect(TransportError(CURLE_RECV_ERROR, text: "It broke").detail == "It broke.")
        #expect(TransportError(CURLE_RECV_ERROR, text: "It broke.").detail == "It broke.")
        let general = TransportError(CURLE_RECV_ERROR, text: "").detail
        #expect(general == String(cString: curl_easy_strerror(CURLE_RECV_ERROR)) + ".")
        let tls = TLSFailure(CURLE_SSL_CONNECT_ERROR, "", 0, TrustPolicy()).error?.detail
        #expect(tls == String(cString: curl_easy_strerror(CURLE_SSL_CONNECT_ERROR)) + ".")
        #expect(TLSFailure(CURLE_SSL_CONNECT_ERROR, "No.", 0, TrustPolicy()).error?.detail == "No.")
    }

    @Test(
        "A chain that is not accepted has the kind of OpenSSL's verdict (X509_V_ERR_)",
        arguments: [
            (9, .certificateNotYetValid), (10, .certificateExpired), (2, .unknownAuthority),
            (18, .untrustedCertificate), (19, .unknownAuthority), (20, .unknownAuthority),
            (21, .unknownAuthority), (22, .untrustedCertificate), (62, .untrustedCertificate),
            (1, .untrustedCertificate), (0, .untrustedCertificate), (11, .untrustedCertificate),
        ] as [(Int, TransportError.Kind)]
    )
    func chain(verdict: Int, kind: TransportError.Kind) {
        for code in [CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR] {
            #expect(TLSFailure(code, "", verdict, TrustPolicy()).error?.kind == kind)
        }
    }

    @Test(
        "An alert of the server's says whether a certificate of the client is missing or not accepted, RFC 8446 §6.2",
        arguments: [
            (0, .secureConnectionFailed, .secureConnectionFailed),
            (40, .secureConnectionFailed, .secureConnectionFailed),
            (41, .secureConnectionFailed, .secureConnectionFailed),
            (42, .clientCertificateRequired, .clientCertificateRejected),
            (46, .clientCertificateRequired, .clientCertificateRejected),
            (47, .secureConnectionFailed, .secureConnectionFailed),
            (48, .clientCertificateRequired, .clientCertificateRejected),
            (49, .clientCertificateRequired, .clientCertificateRejected),
            (50, .secureConnectionFailed, .secureConnectionFailed),
            (116, .clientCertificateRequired, .clientCertificateRequired),
            (255, .secureConnectionFailed, .secureConnectionFailed),
        ] as [(Int, TransportError.Kind, TransportError.Kind)]
    )
    func alerts(alert: Int, without: TransportError.Kind, with: TransportError.Kind) {
        // OpenSSL's number has the library in its upper bits, and 1000 is the reason of the first alert.
        let text = "error:" + String(0x0A00_0000 + 1000 + alert, radix: 16).padded + ":SSL routines::alert"
        var trust = TrustPolicy()
        for code in [CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR] {
            #expect(TLSFailure(code, text, 0, trust).error?.kind == without)
        }
        trust.identity = .pkcs12(.file("/none"), password: "")
        #expect(TLSFailure(CURLE_SSL_CONNECT_ERROR, text, 0, trust).error?.kind == with)
    }

    @Test(
        "Without an alert only a handshake that failed is a failure of TLS",
        arguments: ["", "reset by peer", "error:", "error:0A0003E7:x", "error:0A0004E8:x", "error:nonsense"]
    )
    func noAlert(text: String) {
        #expect(
            TLSFailure(CURLE_SSL_CONNECT_ERROR, text, 0, TrustPolicy()).error?.kind == .secureConnectionFailed
        )
        #expect(TLSFailure(CURLE_RECV_ERROR, text, 0, TrustPolicy()).error == nil)
        #expect(TLSFailure(CURLE_SEND_ERROR, text, 0, TrustPolicy()).error == nil)
        #expect(TLSFailure(CURLE_COULDNT_CONNECT, text, 0, TrustPolicy()).error == nil)
        #expect(
            TLSFailure(CURLE_SSL_CERTPROBLEM, text, 0, TrustPolicy()).error?.kind
                == .clientCertificateRejected
        )
        let mismatch = TLSFailure(CURLE_SSL_PINNEDPUBKEYNOTMATCH, text, 0, TrustPolicy())
        #expect(mismatch.error?.kind == .untrustedCertificate)
        #expect(TLSFailure(CURLE_SSL_CIPHER, text, 0, TrustPolicy()).error?.kind == .secureConnectionFailed)
    }
}

extension String {
    /// A number of up to eight digits with eight digits.
    fileprivate var padded: String { String(repeating: "0", count: 8 - count) + self }
}
