import CLibrary
import Cmicrohttpd

/// The owner of libmicrohttpd's daemon.
///
/// The daemon does not listen; connections are added to it. It does not write `Date`.
final class MicroHTTPDaemon: @unchecked Sendable {
    // Reason: the handle is set once, and libmicrohttpd allows adding connections from any thread.
    private let daemon: OpaquePointer

    /// Starts the daemon, whose callbacks call `core` until `stop()` has returned.
    init(core: ServerCore, configuration: HTTPServer.Configuration) throws(ServerError) {
        let context = Unmanaged.passUnretained(core).toOpaque()
        let flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue | MHD_USE_ITC.rawValue
            | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_SUPPRESS_DATE_NO_CLOCK.rawValue
        var options = Self.limits(configuration) + Self.callbacks(context)
        options.append(Self.item(.END, 0))
        guard let started = cachecheck_start_daemon(flags, answerRequest, context, options) else {
            throw .daemon
        }
        daemon = started
    }

    /// Adds a connected socket to the daemon, which closes it if that fails.
    func add(_ socket: CInt, peer: SocketAddress) -> Bool {
        peer.withPointer { MHD_add_connection(daemon, socket, $0, $1) } == .YES
    }

    /// Closes every connection and waits for the daemon's threads; may be called once.
    func stop() {
        MHD_stop_daemon(daemon)
    }

    /// The number of connections by which the limit may be exceeded for a moment.
    static let spareConnections = 64

    private static func limits(_ configuration: HTTPServer.Configuration) -> [MHD_OptionItem] {
        var items = [
            item(.CONNECTION_LIMIT, configuration.connectionLimit + spareConnections),
            item(.CONNECTION_MEMORY_LIMIT, configuration.connectionMemoryBytes),
        ]
        // libmicrohttpd rejects a pool of one; without the option there is one thread.
        if configuration.threads > 1 { items.append(item(.THREAD_POOL_SIZE, configuration.threads)) }
        return items
    }

    private static func item(
        _ option: MHD_OPTION,
        _ value: Int,
        _ context: UnsafeMutableRawPointer? = nil
    ) -> MHD_OptionItem {
        MHD_OptionItem(option: option, value: value, ptr_value: context)
    }

    private static func callbacks(_ context: UnsafeMutableRawPointer) -> [MHD_OptionItem] {
        let onTarget:
            @convention(c) (
                UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
            ) -> UnsafeMutableRawPointer? = noteTarget
        let onConnection: MHD_NotifyConnectionCallback = noteConnection
        return [
            item(.URI_LOG_CALLBACK, unsafeBitCast(onTarget, to: Int.self), context),
            item(.NOTIFY_CONNECTION, unsafeBitCast(onConnection, to: Int.self), context),
        ]
    }

    /// Removes a connection's socket from libmicrohttpd and returns a new descriptor for it.
    ///
    /// Suspending removes the socket from the worker's epoll set. Then `dup2` replaces the socket of libmicrohttpd's
    /// descriptor by a dummy, which libmicrohttpd closes when resumed. The connection stays open through the new
    /// descriptor. No connection remains suspended, which would abort the process when the daemon is stopped.
    static func takeOver(_ handle: OpaquePointer, dummy: CInt) -> CInt? {
        guard let slot = cachecheck_connection_context(handle) else { return nil }
        let socket = cachecheck_connection_socket(handle)
        let own = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { return nil }
        // Another worker may read from the connection before this one has closed the dummy.
        Unmanaged<ConnectionSlot>.fromOpaque(slot).takeUnretainedValue().connection = nil
        MHD_suspend_connection(handle)
        dup2(dummy, socket)
        MHD_resume_connection(handle)
        return own
    }
}

/// libmicrohttpd's context of a connection; empty once its socket was removed.
private final class ConnectionSlot {
    var connection: ServerConnection?

    init(_ connection: ServerConnection) { self.connection = connection }
}

private func noteTarget(
    _ context: UnsafeMutableRawPointer?,
    _ target: UnsafePointer<CChar>?,
    _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let handle, let target, let slot = cachecheck_connection_context(handle) else { return nil }
    Unmanaged<ConnectionSlot>.fromOpaque(slot).takeUnretainedValue().connection?.begin(target: target)
    return slot
}

private func noteConnection(
    _ context: UnsafeMutableRawPointer?,
    _ handle: OpaquePointer?,
    _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ event: MHD_ConnectionNotificationCode
) {
    guard let context, let handle, let place else { return }
    let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    switch event {
    case .CONNECTION_NOTIFY_STARTED:
        let connection = core.connections.arrived(cachecheck_connection_socket(handle))
        place.pointee = connection.map { Unmanaged.passRetained(ConnectionSlot($0)).toOpaque() }
    case .CONNECTION_NOTIFY_CLOSED:
        guard let pointer = place.pointee else { return }
        let slot = Unmanaged<ConnectionSlot>.fromOpaque(pointer).takeRetainedValue()
        if let connection = slot.connection { core.ended(connection) }
        place.pointee = nil
    }
}

private func noteField(
    _ context: UnsafeMutableRawPointer?,
    _ kind: MHD_ValueKind,
    _ name: UnsafePointer<CChar>?,
    _ nameCount: Int,
    _ value: UnsafePointer<CChar>?,
    _ valueCount: Int
) -> MHD_Result {
    guard let context, let name else { return .NO }
    let connection = Unmanaged<ServerConnection>.fromOpaque(context).takeUnretainedValue()
    name.withMemoryRebound(to: UInt8.self, capacity: nameCount) { nameBytes in
        let nameBuffer = UnsafeBufferPointer(start: nameBytes, count: nameCount)
        guard let value else { return connection.take(name: nameBuffer, value: .init(start: nil, count: 0)) }
        value.withMemoryRebound(to: UInt8.self, capacity: valueCount) { valueBytes in
            connection.take(
                name: nameBuffer,
                value: UnsafeBufferPointer(start: valueBytes, count: valueCount)
            )
        }
    }
    return .YES
}

private func connection(at slot: UnsafeMutableRawPointer?) -> ServerConnection? {
    slot.flatMap { Unmanaged<ConnectionSlot>.fromOpaque($0).takeUnretainedValue().connection }
}

private func readHead(
    of connection: ServerConnection,
    _ handle: OpaquePointer,
    _ version: UnsafePointer<CChar>
) {
    let reader = Unmanaged.passUnretained(connection).toOpaque()
    MHD_get_connection_values_n(handle, .HEADER_KIND, noteField, reader)
    connection.headSize = cachecheck_request_head_size(handle)
    connection.isHTTP11 = strcmp(version, MHD_HTTP_VERSION_1_0) != 0
}

private func answerRequest(
    _ context: UnsafeMutableRawPointer?,
    _ handle: OpaquePointer?,
    _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?,
    _ upload: UnsafePointer<CChar>?,
    _ uploadCount: UnsafeMutablePointer<Int>?,
    _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let handle, let method, let version, let uploadCount,
        let connection = connection(at: place?.pointee)
    else { return .NO }
    let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    switch connection.phase {
    case .begun:
        readHead(of: connection, handle, version)
        return core.headIsRead(connection, handle, method)
    case .reading where uploadCount.pointee > 0:
        let bytes = UnsafeRawBufferPointer(start: upload, count: uploadCount.pointee)
        let (taken, result) = core.contentArrived(bytes, connection, handle, method)
        uploadCount.pointee -= taken
        return result
    case .resuming:
        connection.phase = .reading
        return core.goOn(connection, handle)
    case .reading:
        return core.requestIsRead(connection, handle, method)
    }
}

extension HTTPServer {
    /// Name and version of the library that reads requests.
    public static var libraryVersion: String {
        MHD_get_version().map { "libmicrohttpd \(String(cString: $0))" } ?? "libmicrohttpd"
    }
}
