import CLibrary
import Clocks
import Cepoll
import Locks
import Threads

/// A thread that terminates TLS for all connections of a server.
final class TLSRelay: @unchecked Sendable {
    // Reason: `tunnels` and `owners` are accessed on the thread only, and after its end by the thread that joined it.
    enum Command: Sendable {
        case begin(ServerConnection, CInt)
        case look(TLSTunnel)
        case giveUp(TLSTunnel)
        case stop
    }
    private struct Owner {
        let tunnel: TLSTunnel
        let connection: ServerConnection
    }
    private let poller: Poller
    private let pairs: LoopbackPairs
    private let credentials: TLSCredentials
    private let onFailure: (@Sendable (String) -> Void)?
    private let handshakeTime: Duration
    private let commands = Lock<[Command]>([])
    private let thread = Lock<SystemThread?>(nil)
    private var owners: [UInt64: Owner] = [:]
    private weak var core: ServerCore?

    init(_ settings: TLSSettings, _ handshakeTime: Duration) throws(ServerError) {
        self.handshakeTime = handshakeTime
        credentials = try TLSCredentials(settings)
        onFailure = settings.onFailure
        pairs = try LoopbackPairs()
        poller = try Poller()
    }

    func start(_ core: ServerCore) throws(ServerError) {
        self.core = core
        let started = try SystemThread.serving { self.run() }
        thread.withLock { $0 = started }
    }

    /// Sends pending output, closes every connection and waits for the thread.
    func stop() {
        post(.stop)
        thread.withLock { $0 }?.join()
        for owner in owners.values {
            _ = owner.tunnel.move()
            end(owner, isReset: false)
        }
        for case .begin(let connection, let socket) in commands.withLock({ $0 }) {
            connection.setSocket(-1)
            close(socket)
        }
    }

    /// Begins TLS on a connection; calls the core after the handshake.
    func begin(_ connection: ServerConnection, _ socket: CInt) { post(.begin(connection, socket)) }

    private func post(_ command: Command) {
        let isFirst = commands.withLock { commands in
            commands.append(command)
            return commands.count == 1
        }
        if isFirst { poller.wake() }
    }

    // MARK: The thread

    private func run() {
        var events = Poller.room(64)
        while let count = poller.wait(&events) {
            for event in events.prefix(count) where event.data.u64 != Poller.wakeUp {
                if let owner = owners[event.data.u64] { serve(owner) }
            }
            if !obey() { return }
        }
    }

    /// Performs the requests of other threads; returns false at the end.
    private func obey() -> Bool {
        poller.clearWakeUp()
        let taken = commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
        for (index, command) in taken.enumerated() {
            switch command {
            case .begin(let connection, let socket): accept(connection, socket)
            case .look(let tunnel): if let owner = owners[tunnel.number] { serve(owner) }
            case .giveUp(let tunnel):
                if let owner = owners[tunnel.number] { giveUp(owner) }
            case .stop:
                commands.withLock { $0 = Array(taken[(index + 1)...]) + $0 }
                return false
            }
        }
        return true
    }

    private func accept(_ connection: ServerConnection, _ socket: CInt) {
        guard let session = TLSSession(credentials, socket: socket) else {
            connection.setSocket(-1)
            core?.ended(connection)
            close(socket)
            return
        }
        let tunnel = TLSTunnel(number: connection.number, socket: socket, session: session) { [weak self] in
            self?.post(.look($0))
        }
        let owner = Owner(tunnel: tunnel, connection: connection)
        owners[tunnel.number] = owner
        limit(tunnel, to: handshakeTime)
        serve(owner)
    }

    /// Ends the current phase of a tunnel after a duration on the real clock.
    private func limit(_ tunnel: TLSTunnel, to timeout: Duration) {
        tunnel.deadline?.cancel()
        tunnel.deadline = core?.drainClock.schedule(after: timeout) { [weak self, weak tunnel] in
            if let self, let tunnel { self.post(.giveUp(tunnel)) }
        }
    }

    private func giveUp(_ owner: Owner) {
        switch owner.tunnel.phase {
        case .handshake: refuse(owner, "the client was too slow")
        case .refused: end(owner, isReset: false)
        case .open, .ending, .ended: break
        }
    }

    private func serve(_ owner: Owner) {
        let tunnel = owner.tunnel
        if tunnel.phase == .refused { return drain(owner) }
        if tunnel.phase == .handshake {
            switch tunnel.session.handshake() {
            case .done: open(owner)
            case .wants(let output): tunnel.wantsOutput = output
            case .failed(let reason): return refuse(owner, reason)
            }
        }
        switch tunnel.move() {
        case .waits: watch(tunnel)
        case .moved:
            watch(tunnel)
            post(.look(tunnel))
        case .over: end(owner, isReset: false)
        case .reset: end(owner, isReset: true)
        }
    }

    /// Called after the handshake: passes one end of a plain connection to the server.
    private func open(_ owner: Owner) {
        guard owners[owner.tunnel.number] != nil, let (ours, theirs) = pairs.make() else {
            return end(owner, isReset: true)
        }
        owner.tunnel.deadline?.cancel()
        owner.tunnel.wantsOutput = false
        owner.tunnel.plain = ours
        owner.tunnel.phase = .open
        core?.secured(owner.connection, socket: theirs, owner.tunnel)
    }

    private func refuse(_ owner: Owner, _ reason: String) {
        onFailure?(reason)
        owner.connection.setSocket(-1)
        core?.ended(owner.connection)
        owner.tunnel.phase = .refused
        shutdown(owner.tunnel.secure, CInt(SHUT_WR))
        limit(owner.tunnel, to: .seconds(2))
        drain(owner)
    }

    /// Continues to read: closing with unread bytes resets the connection and may destroy the alert.
    private func drain(_ owner: Owner) {
        if Socket.drain(owner.tunnel.secure) { watch(owner.tunnel) } else { end(owner, isReset: false) }
    }

    private func end(_ owner: Owner, isReset: Bool) {
        let tunnel = owner.tunnel
        guard owners.removeValue(forKey: tunnel.number) != nil else { return }
        if tunnel.phase == .handshake {
            owner.connection.setSocket(-1)
            core?.ended(owner.connection)
        }
        tunnel.deadline?.cancel()
        let plain = tunnel.plain
        tunnel.plain = -1
        tunnel.setCarrying(false)
        for socket in [plain, tunnel.secure] where socket >= 0 {
            if isReset { Socket.reset(socket) } else { close(socket) }
        }
    }

    // MARK: Waiting

    private func watch(_ tunnel: TLSTunnel) {
        guard owners[tunnel.number] != nil else { return }
        let readsClient = tunnel.phase == .refused || (tunnel.inbound.isEmpty && !tunnel.hasClientEnded)
        let secure = (readsClient ? Self.input : 0) | (tunnel.wantsOutput ? Self.output : 0)
        let readsServer = tunnel.phase == .open && tunnel.outbound.isEmpty
        let plain = (readsServer ? Self.input : 0) | (tunnel.inbound.isEmpty ? 0 : Self.output)
        set(tunnel.secure, &tunnel.watched.secure, secure, tunnel.number)
        if tunnel.plain >= 0 { set(tunnel.plain, &tunnel.watched.plain, plain, tunnel.number) }
    }

    /// Sets the wanted events of a socket; one without any is removed, because its hang-up would be reported repeatedly.
    private func set(_ socket: CInt, _ known: inout UInt32, _ wanted: UInt32, _ number: UInt64) {
        guard known != wanted else { return }
        if wanted == 0 {
            poller.remove(socket)
        } else if known == 0 {
            poller.add(socket, wanted, as: number)
        } else {
            poller.change(socket, wanted, as: number)
        }
        known = wanted
    }

    private static let input = EPOLLIN.rawValue
    private static let output = EPOLLOUT.rawValue
}
