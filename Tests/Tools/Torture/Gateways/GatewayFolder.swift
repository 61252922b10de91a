import GRDB
import CLibrary
import TestSupport

/// A cache folder and its gateways.
final class GatewayFolder {
    let origin: VersionedOrigin
    private let folder: TestFolder
    private let settings: GatewaySettings
    private(set) var gateways: [GatewayProcess?]
    /// The folder's largest size so far in bytes.
    private(set) var largest = 0

    init(gateways count: Int, _ origin: VersionedOrigin) throws(Failure) {
        self.origin = origin
        folder = try makeScratchFolder()
        settings = GatewaySettings(folder: folder.path, origin: origin.url)
        gateways = Array(repeating: nil, count: count)
    }

    var path: String { folder.path }
    var addresses: [GatewayAddress] { gateways.compactMap { $0?.address } }

    /// Starts the gateways that do not run.
    func startMissing() throws(Failure) {
        for number in gateways.indices where gateways[number]?.isRunning != true {
            guard try start(number) else { throw Failure(text: "a gateway does not start on its folder") }
        }
    }

    /// Starts a gateway in place of an earlier one; returns false if it ends before it listens.
    func start(_ number: Int, _ environment: [String: String] = [:]) throws(Failure) -> Bool {
        gateways[number] = nil
        gateways[number] = try GatewayProcess(settings, number: number, environment)
        return gateways[number] != nil
    }

    /// Requests everything that each gateway has stored, and checks the folder.
    func inspect() throws(Failure) -> Tally {
        // A gateway that is the only one has cleaned up the folder.
        if gateways.count == 1 { try checkFiles() }
        let client = PageClient(origin)
        for address in addresses {
            for page in PageRequests.pages {
                client.get(page, at: address, ["Cache-Control: only-if-cached"])
            }
            let usage = try address.metric("disk_tier_bytes")
            guard usage <= settings.diskBytes else { throw Failure(text: "the disk tier has \(usage) bytes") }
        }
        if let problem = client.tally.problem { throw Failure(text: problem) }
        guard client.tally.broken.isEmpty else { throw Failure(text: "a gateway that runs does not answer") }
        try checkSizes()
        return client.tally
    }

    /// Stops all gateways, and checks the folder after one of them has run alone.
    func inspectAlone() throws(Failure) {
        for gateway in gateways { try gateway?.stop() }
        guard try start(0) else { throw Failure(text: "a gateway does not start on its folder") }
        try gateways[0]?.stop()
        gateways = gateways.map { _ in nil }
        try checkFiles()
        try checkSizes()
    }

    /// Checks that there are only files of the cache, and no body that the database does not know.
    private func checkFiles() throws(Failure) {
        let own: Set<String> = [
            "bodies", "entries.sqlite", "entries.sqlite-shm", "entries.sqlite-wal", "generation",
        ]
        let others = Set(folder.names).subtracting(own)
        guard others.isEmpty else { throw Failure(text: "left over: \(others.sorted())") }
        let known = try read { db in
            Set(try Int64.fetchAll(db, sql: "SELECT file FROM entry WHERE file <> 0"))
        }
        let names = Set(known.map { String(UInt64(bitPattern: $0), radix: 16) + ".body" })
        let found = Set(folder.names(in: "bodies"))
        guard found == names else {
            let (more, fewer) = (found.subtracting(names).sorted(), names.subtracting(found).sorted())
            throw Failure(text: "bodies left over: \(more), lost: \(fewer)")
        }
    }

    /// Checks the database, and that the sizes of bodies and database are within their limits.
    private func checkSizes() throws(Failure) {
        let problems = try read { db in try String.fetchAll(db, sql: "PRAGMA integrity_check") }
        guard problems == ["ok"] else { throw Failure(text: "the database: \(problems)") }
        let bodies = size("bodies")
        guard bodies <= settings.diskBytes else { throw Failure(text: "bodies of \(bodies) bytes") }
        largest = max(largest, bodies + size(""))
    }

    /// Returns the bytes of the files directly in a folder.
    private func size(_ name: String) -> Int {
        folder.names(in: name).reduce(0) { sum, file in
            var status = stat()
            let path = folder.path + "/" + name + "/" + file
            return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
                ? sum + Int(status.st_size) : sum
        }
    }

    private func read<Value>(_ value: (Database) throws -> Value) throws(Failure) -> Value {
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            return try DatabaseQueue(path: folder.path + "/entries.sqlite", configuration: configuration)
                .read(value)
        } catch {
            throw Failure(text: "the database: \(error)")
        }
    }
}
