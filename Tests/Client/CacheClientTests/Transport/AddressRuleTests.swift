import Addresses
import CacheClient
import Testing
import TestSupport

@Suite("Addresses that may be connected to")
struct AddressRuleTests {
    @Test(
        "Only public addresses are permitted by default",
        arguments: [
            ("8.8.8.8", true), ("172.15.0.1", true), ("172.32.0.1", true), ("100.63.255.255", true),
            ("2606:4700::1111", true), ("2a00::1", true), ("::ffff:8.8.8.8", true),
            ("64:ff9b::808:808", true),
            ("127.0.0.1", false), ("127.255.0.1", false), ("0.0.0.0", false), ("0.1.2.3", false),
            ("10.1.2.3", false), ("172.16.0.1", false), ("172.31.255.255", false), ("192.168.1.1", false),
            ("169.254.169.254", false), ("100.64.0.1", false), ("100.127.255.255", false),
            ("198.19.0.1", false), ("224.0.0.1", false), ("255.255.255.255", false), ("::", false),
            ("::1", false), ("fe80::1", false), ("febf::1", false), ("fec0::1", false), ("fc00::1", false),
            ("::ffff:0:127.0.0.1", false), ("fd12::1", false), ("ff02::1", false),
            ("::ffff:127.0.0.1", false), ("::127.0.0.1", false),
            ("64:ff9b::7f00:1", false), ("2002:7f00:1::1", false), ("2001:db8::1", false),
        ]
    )
    func publicAddresses(text: String, isPermitted: Bool) throws {
        #expect(AddressRule().permits(try #require(IPAddress(text))) == isPermitted)
    }

    @Test(
        "A block permits the addresses in it, and no others",
        arguments: [
            ("127.0.0.0/8", "127.1.2.3", true), ("127.0.0.0/8", "10.0.0.1", false),
            ("127.0.0.0/8", "::ffff:127.0.0.1", true), ("10.0.0.0/15", "10.1.0.1", true),
            ("10.0.0.0/15", "10.2.0.1", false), ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.1", "10.0.0.2", false),
            ("0.0.0.0/0", "192.168.0.1", true), ("0.0.0.0/0", "::1", false), ("::/0", "::1", true),
            ("::/0", "127.0.0.1", false), ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe80::1", false),
            ("10.1.2.3/8", "10.9.9.9", true),
        ]
    )
    func allowed(block: String, text: String, isPermitted: Bool) throws {
        let rule = AddressRule(allowing: [try #require(AddressBlock(block))])
        #expect(rule.permits(try #require(IPAddress(text))) == isPermitted)
    }

    @Test(
        "A malformed block is rejected",
        arguments: [
            "", "/8", "127.0.0.1/", "127.0.0.1/33", "::/129", "127.0.0.1/-1", "127.0.0.1/+8", "127.1/8",
            "localhost",
            "127.0.0.1/8/8", "127.0.0.1/8 ", "127.0.0.1/99999999999999999999",
        ]
    )
    func malformed(text: String) { #expect(AddressBlock(text) == nil) }

    @Test(
        "A request to a forbidden address fails without a connection, and one to a permitted address is sent"
    )
    func connecting() async throws {
        let server = ScriptedServer { _, _ in answer(body: "here") }
        defer { server.stop() }
        let test = try TestClient()
        for host in ["127.0.0.1", "localhost"] {
            var request = ClientRequest(url: "http://\(host):\(server.port)/")
            request.addresses = AddressRule()
            let error = await test.failure(request)
            #expect(error?.cause?.kind == .addressRefused)
            #expect(server.connections == 0)
        }
        var request = ClientRequest(url: server.url + "/")
        request.addresses = AddressRule(allowing: [try #require(AddressBlock("127.0.0.1"))])
        #expect(try await test.client.fetch(request).text == "here")
    }

    @Test("A redirect is not followed to an address that the request may not use")
    func redirect() async throws {
        let inside = ScriptedServer { _, _ in answer(body: "secret") }
        let outside = ScriptedServer { _, _ in
            answer("302 Found", "Location: http://[::1]:\(inside.port)/")
        }
        defer {
            inside.stop()
            outside.stop()
        }
        let test = try TestClient()
        var request = ClientRequest(url: outside.url + "/")
        request.addresses = AddressRule(allowing: [try #require(AddressBlock("127.0.0.0/8"))])
        #expect(await test.failure(request)?.cause?.kind == .addressRefused)
        #expect(inside.connections == 0)
    }
}
