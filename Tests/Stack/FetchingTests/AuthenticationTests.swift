import CacheClient
import CacheSemantics
import HTTPServing
import HTTPTypes
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@testable import Fetching

@Suite("Authentication by digest, RFC 7616", .timeLimit(.minutes(20)))
struct AuthenticationTests {
    private let login = Credential.login(user: "Mufasa", password: "Circle of Life")
    private static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    private static let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"

    private static func challenge(_ algorithm: String) -> String {
        "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=\(algorithm), "
            + "nonce=\"\(nonce)\", opaque=\"\(opaque)\""
    }

    private func answer(to challenges: [String]) -> String? {
        var refusal = HTTPResponse(status: .unauthorized)
        refusal.headerFields[values: .wwwAuthenticate] = challenges
        return login.answer(
            to: refusal,
            method: .get,
            url: "http://www.example.org/dir/index.html",
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        )
    }

    @Test(
        "The credentials are those of RFC 7616 §3.9.1",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ]
    )
    func examples(algorithm: String, response: String) {
        #expect(
            answer(to: [Self.challenge(algorithm)])
                == "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", nonce=\"\(Self.nonce)\", "
                + "uri=\"/dir/index.html\", response=\"\(response)\", algorithm=\(algorithm), "
                + "opaque=\"\(Self.opaque)\", cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\", "
                + "qop=auth, nc=00000001"
        )
    }

    @Test(
        "A server older than RFC 2617 receives no later parameters: the example of RFC 2069, with its errata"
    )
    func withoutQuality() {
        var refusal = HTTPResponse(status: .unauthorized)
        refusal.headerFields[.wwwAuthenticate] =
            "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\""
        let value = Credential.login(user: "Mufasa", password: "CircleOfLife").answer(
            to: refusal,
            method: .get,
            url: "http://www.nowhere.org/dir/index.html"
        )
        #expect(value?.contains("response=\"1949323746fe6a43ef61f9606e7febea\"") == true)
        #expect(value?.contains("qop") == false && value?.contains("nc=") == false)
    }

    @Test(
        "The strongest common algorithm is chosen, Basic without digest, and nothing without either",
        arguments: [
            ([challenge("MD5"), challenge("SHA-256")], "algorithm=SHA-256"),
            ([challenge("SHA-512-256") + ", " + challenge("MD5")], "algorithm=MD5"),
            (["Basic realm=\"a, Digest nonce\", " + challenge("MD5")], "algorithm=MD5"),
            (["Negotiate YWJj==, Basic realm=\"r\""], "Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl"),
            (["Digest realm=\"no nonce\"", "basic"], "Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl"),
            (["Digest realm=\"r\", nonce=\"n\", qop=auth-int"], nil), (["Digest"], nil), (["Bearer"], nil),
            (["\"Basic\", ,,=\"", "Digest realm=\"open"], nil), ([], nil),
        ] as [([String], String?)]
    )
    func choice(challenges: [String], part: String?) {
        let value = answer(to: challenges)
        #expect((value == nil) == (part == nil))
        if let part { #expect(value?.contains(part) == true) }
    }

    @Test("A name with quotation marks is one name")
    func quoting() {
        let digest = DigestChallenge(
            AuthenticationChallenge(scheme: "digest", parameters: ["realm": "a\"b", "nonce": "n"])
        )
        let value = digest?.answer(user: "x\\y", password: "", method: "GET", target: "/", clientNonce: "c")
        #expect(value?.hasPrefix("Digest username=\"x\\\\y\", realm=\"a\\\"b\", nonce=\"n\"") == true)
    }

    @Test("Requests and downloads answer a challenge once, for their target")
    func overLoopback() async throws {
        var refusal = content("who?", "text/plain")
        refusal.status = 401
        refusal.fields.append(FieldLine("WWW-Authenticate", .text(Self.challenge("SHA-256"))))
        let fixture = try FetchFixture(
            Route.each(("/a", [refusal, json("1")]), ("/f", [refusal, json("2")]), ("/no", [refusal]))
        )
        let session = fixture.session { $0.credential = login }
        #expect(try await session.get("a", ["q": "1 2"]).json == 1)
        let downloads = Downloads(
            session,
            partialFolder: fixture.folder.path + "/parts"
        )
        let file = try await downloads.download(DownloadRequest("f", to: fixture.folder.path + "/f"))
        #expect(file.size == .bytes(1))
        #expect(await session.failure(.get("no"))?.status == 401)
        let sent = fixture.origin.record().map { exchange in
            exchange.fields.first { $0.name.lowercased() == "authorization" }?.value
        }
        #expect(sent.map { $0 != nil } == [false, true, false, true, false, true])
        #expect(sent[1]?.contains("uri=\"\(fixture.origin.base)/a?q=1%202\"") == true)
        let answers = sent.compactMap { $0 }
        for (answer, target) in zip(answers, ["/a?q=1%202", "/f", "/no"]) {
            #expect(Self.isRight(answer, of: fixture.origin.base + target))
        }
    }

    /// Computes the digest as a server would, from the values the client sends.
    private static func isRight(_ value: String, of target: String) -> Bool {
        let parts = AuthenticationChallenge.all(in: [.wwwAuthenticate: value]).first?.parameters ?? [:]
        let secret = SHA256.text("Mufasa:http-auth@example.org:Circle of Life".utf8)
        let request = SHA256.text("GET:\(target)".utf8)
        let middle = "\(nonce):\(parts["nc"] ?? ""):\(parts["cnonce"] ?? ""):auth"
        return parts["response"] == SHA256.text("\(secret):\(middle):\(request)".utf8)
            && parts["cnonce"] != ""
    }
}
