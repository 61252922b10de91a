import CacheClient
package import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import JSON
import LocatedYAML
import Locks
import Scenarios
import TextCodings

/// This package's client behind the driver protocol: `cachecheck driver serve`.
package final class BuiltinDriver: Sendable {
    /// The objects that a restart drops.
    private struct Parts {
        let loop: ClientLoop
        let store: CacheStore
        /// Clients that follow redirects and that do not; both use the store.
        let following: CachingClient
        let plain: CachingClient
    }
    private struct State {
        var parts: Parts
        var folder: ScratchFolder
        var clock: OffsetClock
    }
    private let kind: CacheKind
    private let version: String
    private let write: @Sendable (String) -> Void
    private let state: Lock<State>
    /// The number of commands without a reply.
    private let unanswered = Monitor(0)

    /// Creates a driver with an empty cache; `write` is called with each line of its replies, one call at a time.
    package init(kind: CacheKind, version: String, write: @escaping @Sendable (String) -> Void)
        throws(SubjectError)
    {
        self.kind = kind
        self.version = version
        let output = Lock(write)
        self.write = { line in output.withLock { $0(line) } }
        state = Lock(try Self.fresh(kind))
    }

    /// Answers one line of commands.
    package func take(_ line: String) {
        do throws(YAMLProblems) {
            let received = try ReceivedDriverCommand.decode(line)
            unanswered.withLock { $0 += 1 }
            do throws(SubjectError) {
                try perform(received)
            } catch {
                answer(received.id, failure: DriverReply.Failure.unknown, error.description)
            }
        } catch {
            // Without an id there is no request to reply to, so the error is logged.
            write("the command is invalid: \(error)")
        }
    }

    /// Blocks the thread until every command has its reply, but not beyond `limit`.
    package func finish(within limit: Duration) {
        let deadline = SystemClock().elapsed + limit
        unanswered.wait { count, isLate in count == 0 || isLate ? .done(()) : .wait(until: deadline) }
    }

    private func perform(_ received: ReceivedDriverCommand) throws(SubjectError) {
        switch received.command {
        case .hello: return hello(received.id)
        case .request(let request): return send(request, received.id)
        case .idle: return awaitIdle(received.id)
        case .dump: return dump(received.id)
        case .reset:
            let next = try Self.fresh(kind)
            swap(to: next)
        case .restart: try restart()
        case .advance(let duration): state.withLock { $0.clock }.advance(by: duration)
        }
        answer(received.id, [])
    }

    private func hello(_ id: Int) {
        let capabilities = DriverCapabilities.Capability.allCases.map(\.rawValue)
        answer(
            id,
            [
                ("protocol", .integer(DriverCapabilities.protocolVersion)), ("name", "cachecheck"),
                ("version", .string(version)), ("kind", .string(kind.rawValue)),
                ("capabilities", JSONValue(capabilities)),
            ]
        )
    }

    private func send(_ request: SubjectRequest, _ id: Int) {
        let parts = state.withLock { $0.parts }
        let client = request.followsRedirects ? parts.following : parts.plain
        _ = client.fetch(ClientRequest(request, latin1: true), observer: EventLog()) { [self] result in
            switch result {
            case .success(let response): answer(id, [("response", response.driverValue)])
            case .failure(let error):
                let name = ErrorCode.names.first { $0.code == error.code.rawValue && $0.code != 0 }?.name
                answer(id, failure: name ?? DriverReply.Failure.unknown, error.description)
            }
        }
    }

    private func awaitIdle(_ id: Int) {
        let parts = state.withLock { $0.parts }
        Task(executorPreference: parts.loop) { [self] in
            await parts.following.waitForBackgroundWork()
            await parts.plain.waitForBackgroundWork()
            answer(id, [])
        }
    }

    private func dump(_ id: Int) {
        let parts = state.withLock { $0.parts }
        do throws(StorageError) {
            let listed = try parts.store.listing(most: .max).map(\.stored).filter { !$0.isAlias }
            let entries = listed.sorted { $0.key.targetURI < $1.key.targetURI }.compactMap {
                // Each variant is found by a request like the one that it answered.
                let request = ClientRequest(url: $0.key.targetURI, fields: $0.selectingFields)
                return parts.following.cachedResponse(for: request).map(Self.value)
            }
            answer(id, [("entries", .array(entries))])
        } catch {
            answer(id, failure: DriverReply.Failure.unknown, error.description)
        }
    }

    private static func value(_ entry: CacheEntry) -> JSONValue {
        // An entry that cannot be read is reported without its content.
        let body: [UInt8]
        do throws(StorageError) { body = try entry.body.readAll() } catch { body = [] }
        let stored = entry.stored
        return .object([
            ("url", .string(stored.key.targetURI)), ("status", .integer(stored.response.status.code)),
            ("fields", lines(stored.response.headerFields)), ("request", lines(stored.selectingFields)),
            ("body", .object([("base64", .string(Base64.encode(body)))])),
        ])
    }

    private static func lines(_ fields: HTTPFields) -> JSONValue {
        .array(fields.latin1Lines.map { JSONValue([$0.name, $0.value]) })
    }

    // MARK: Parts

    private func restart() throws(SubjectError) {
        let old = state.withLock { $0 }
        old.parts.store.close()
        let parts = try Self.parts(kind, old.folder, old.clock)
        state.withLock { $0.parts = parts }
    }

    private func swap(to next: State) {
        let old = state.withLock { state in
            defer { state = next }
            return state
        }
        old.parts.store.close()
    }

    private static func fresh(_ kind: CacheKind) throws(SubjectError) -> State {
        let clock = OffsetClock(SystemClock())
        do throws(HarnessProblem) {
            let folder = try ScratchFolder()
            do throws(SubjectError) {
                return State(parts: try parts(kind, folder, clock), folder: folder, clock: clock)
            } catch {
                throw HarnessProblem(error.description)
            }
        } catch {
            throw SubjectError(error.description)
        }
    }

    private static func parts(_ kind: CacheKind, _ folder: ScratchFolder, _ clock: OffsetClock)
        throws(SubjectError)
        -> Parts
    {
        let store = try StorePool.reopen(folder, ClientSettings(), clock)
        do throws(TransportError) {
            let loop = try ClientLoop(connectionsPerHost: 6)
            let transport = CurlTransport(loop: loop)
            let clients = [true, false].map { follows in
                var configuration = CachingClient.Configuration()
                configuration.engine = CacheEngine(kind: kind)
                configuration.followsRedirects = follows
                return CachingClient(configuration, store: store, transport: transport, clock: clock)
            }
            return Parts(loop: loop, store: store, following: clients[0], plain: clients[1])
        } catch {
            throw SubjectError(error.description)
        }
    }

    private func answer(_ id: Int, _ members: [(String, JSONValue)]) {
        write(JSONValue.object([("id", .integer(id))] + members).written())
        unanswered.withLock { $0 -= 1 }
        unanswered.wakeAll()
    }

    private func answer(_ id: Int, failure kind: String, _ text: String) {
        answer(id, [("error", .object([("kind", .string(kind)), ("text", .string(text))]))])
    }
}

extension ClientResponse {
    /// The response as a driver reports it.
    fileprivate var driverValue: JSONValue {
        .object([
            ("status", .integer(response.status.code)),
            ("fields", .array(response.headerFields.latin1Lines.map { JSONValue([$0.name, $0.value]) })),
            ("body", .object([("base64", .string(Base64.encode(body)))])),
            ("source", .string(source.rawValue)), ("stale", .bool(isStale)),
            ("age", JSONValue(ageSeconds)),
            ("redirects", .integer(redirects)),
        ])
    }
}
