import Certificates
import Dispatch
import HTTPServing
import Locks
import OriginScript
import Testing

@testable import Conformance

@Suite("The certificates of one run")
struct OriginCertificatesTests {
    @Test("Concurrent scenarios get one certificate for one kind of TLS")
    func together() throws {
        let certificates = OriginCertificates()
        let made = Lock<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            guard let pem = try? certificates.settings(.good).identity.certificate.pem() else { return }
            _ = made.withLock { $0.insert(pem) }
        }
        #expect(made.withLock(\.count) == 1)
    }
}
