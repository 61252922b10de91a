import Ccurl
import HTTPTypes

// The outcome of an exchange.
extension CurlExchange {
    func outcome(_ code: CURLcode?) -> Result<TransportEnd, TransportError> {
        guard let code else { return .failure(.requestCancelled) }
        if let failure { return .failure(failure) }
        // Without a handle it was not started.
        if easy == nil, lacksLength { return .failure(.lengthRequired) }
        if let refusedAddress, let addresses,
            code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK
        {
            return .failure(addresses.refusal(of: refusedAddress))
        }
        if code == CURLE_WRITE_ERROR, endsWithHead, easy?.parser.isComplete == true, !isUnanswered(code) {
            return .success(summary)
        }
        if let loss = loss(code) { return .failure(TransportError(.connectionLost, loss)) }
        return code == CURLE_OK ? .success(summary) : .failure(error(code))
    }

    /// Describes how the connection was lost before the end of the response; `nil` if it was not, as far as that is
    /// known.
    private func loss(_ code: CURLcode) -> String? {
        if isUnanswered(code) { return "The reused connection was closed without a response." }
        guard code == CURLE_OK else { return nil }
        // libcurl reports success for a head that was cut short by the end of the connection.
        guard easy?.parser.isComplete == true else {
            return "The connection was closed within the response head."
        }
        // RFC 9112 §9.8: without the alert it is unknown whether more was to come; libcurl 7.88 reports success.
        guard endsWithConnection, hasClosureAlert == false else { return nil }
        return "TLS ended without a closure alert, so the content may be incomplete."
    }

    private func error(_ code: CURLcode) -> TransportError {
        if isHeadRefused(code) { return TransportError(.cannotParse, Self.refusedHead) }
        let text = easy?.errorText ?? ""
        let error = isSecure ? TLSFailure(code, text, easy?.chainVerdict ?? 0, trust).error : nil
        return error ?? TransportError(code, text: text)
    }

    /// Whether the exchange is cancelled after the head: libcurl sends content with HEAD only as a custom method, and
    /// then waits for the content that the response's fields describe (RFC 9112 §6.3).
    ///
    /// So it is if an expectation is refused.
    var endsWithHead: Bool { upload != nil && head.method == .head || isExpectationRefused }

    private var summary: TransportEnd {
        var end = TransportEnd()
        // libcurl takes no more than is announced, and fails if there is less.
        end.isLengthChecked = true
        end.attempts = max(1, attempts)
        end.isReusedConnection = !hasOpened
        guard let easy else { return end }
        if easy.parser.hasTrailers { end.trailers = easy.parser.trailers }
        end.bytesSent = easy.requestBytes + (upload == nil ? 0 : easy.uploadBytes)
        end.headBytes = easy.headBytes
        return end
    }

    /// Returns whether libcurl has rejected a line of the head or of the trailers, for which it has no separate code.
    private func isHeadRefused(_ code: CURLcode) -> Bool {
        guard let easy, easy.headBytes > 0 else { return false }
        // The last is CURLE_TOO_LARGE, of later versions.
        return [CURLE_BAD_FUNCTION_ARGUMENT, CURLE_OUT_OF_MEMORY, CURLcode(100)].contains(code)
    }

    private static let refusedHead =
        "The server's response is not HTTP: a field line is malformed or too long."
}

// Requests that are sent again.
extension CurlExchange {
    /// Returns whether a reused connection was closed before the response started.
    func isUnanswered(_ code: CURLcode) -> Bool {
        guard wasSentOnReusedConnection, failure == nil, easy?.headBytes == 0 else { return false }
        // libcurl fails with the last three if it is prevented from sending the request again by itself.
        return [
            CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_ABORTED_BY_CALLBACK,
            CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST,
        ].contains(code)
    }

    /// Returns whether a transfer that ended with `code` is repeated, once, on a new connection; any request that was not
    /// sent is.
    func isRepeated(after code: CURLcode) -> Bool {
        if foundUncleanConnection { return code != CURLE_OK }
        guard code != CURLE_OK, attempts == 1, isUnanswered(code) else { return false }
        guard rules.resendsOnDeadConnection, head.isRepeatable, !(upload is StreamSource) else {
            return false
        }
        return upload?.rewind(to: 0) ?? true
    }
}

extension HTTPRequest {
    /// Whether it may be retried automatically although it may already have taken effect (RFC 9110 §9.2.2).
    ///
    /// A conditional change may not: its own effect can make its condition fail.
    var isRepeatable: Bool {
        if method.isSafe { return true }
        let conditions: [HTTPField.Name] = [.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince]
        return method.isIdempotent && !conditions.contains { headerFields.contains($0) }
    }
}

extension HTTPRequest.Method {
    /// Whether sending the request twice has the effect of sending it once (RFC 9110 §9.2.2).
    package var isIdempotent: Bool {
        [.get, .head, .put, .delete, .options, .trace, .query].contains(self)
    }

    /// Whether the request asks for nothing to change (RFC 9110 §9.2.1).
    var isSafe: Bool {
        [.get, .head, .options, .trace, .query].contains(self)
    }
}

extension TransportError {
    /// Creates the error for a libcurl code.
    init(_ code: CURLcode, text: String) {
        let text = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        self.init(Self.kind(of: code), text + (text.hasSuffix(".") ? "" : "."))
    }

    private static func kind(of code: CURLcode) -> Kind {
        switch code {
        case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED: .badURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
            CURLE_HTTP2_STREAM:
            .connectionLost
        // For an `http` URL, the only remaining cause of these two is an answer without a status line.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_BAD_CONTENT_ENCODING:
            .cannotParse
        case CURLE_HTTP_RETURNED_ERROR: .badResponse
        default: .unknown
        }
    }
}

extension HTTPResponse {
    /// The response with a length of zero instead of the framing of its content.
    var withoutContent: HTTPResponse {
        var response = self
        response.headerFields[.transferEncoding] = nil
        response.headerFields[.contentLength] = "0"
        return response
    }
}
