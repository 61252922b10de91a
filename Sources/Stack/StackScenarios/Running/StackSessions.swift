import CacheClient
import Clocks
import Conformance
import Fetching
import ImageLoading
import Locks
import Scenarios

/// The networking stack of one scenario: a session for each profile, based on the built-in client's
/// components.
final class StackSessions {
    let environment: ExtensionEnvironment
    /// The folder of the stack's files: cached responses, partial downloads and images.
    let folder: ScratchFolder
    let monitor = StackMonitor()
    let reachability = ScriptedReachability()
    private(set) var settings: StackSettings
    private var sessions: [String: FetchSession] = [:]
    var downloadsByProfile: [String: Downloads] = [:]
    var loaders: [StackProfile: ImageLoader] = [:]
    var fetched: ImageStore?
    var slots: [String: SlotRecord] = [:]
    let milestones = MilestoneLog()
    let pressure = ScriptedMemoryPressure()

    /// Creates a stack without sessions, which are created on demand.
    init(environment: ExtensionEnvironment, settings: StackSettings) throws(SubjectError) {
        self.environment = environment
        self.settings = settings
        do throws(HarnessProblem) {
            folder = try ScratchFolder()
        } catch {
            throw SubjectError(error.description)
        }
    }

    deinit {
        // The loaders' HTTP caches are in the folder, which is removed now.
        for loader in loaders.values { loader.close() }
    }

    /// The client's components since the last restart.
    var current: ClientParts { environment.client() }

    /// Changes the settings for operations that start afterwards.
    func configure(_ settings: StackSettings) {
        self.settings = settings
        for (name, session) in sessions {
            session.configuration = configuration(StackProfile(rawValue: name))
        }
    }

    /// Gives sessions and loaders the same network access as the scenario's client.
    func followNetwork() {
        let access = current.networkAccess
        for session in sessions.values { session.client.networkAccess = access }
        for loader in loaders.values { loader.downloader.networkAccess = access }
    }

    /// Releases all sessions.
    func restart() {
        sessions = [:]
        downloadsByProfile = [:]
        for loader in loaders.values { loader.close() }
        loaders = [:]
        fetched = nil
        slots = [:]
    }

    /// Returns the session of a profile; `nil` for the scenario's profile.
    func session(_ profile: StackProfile?) -> FetchSession {
        let profile = profile ?? settings.profile
        let name = profile?.rawValue ?? ""
        if let known = sessions[name] { return known }
        let parts = current
        let session = FetchSession(
            configuration(profile),
            store: parts.store,
            cache: ApplicationCache(folder: folder.path + "/results", clock: environment.clock),
            cookies: settings.keepsCookies == true ? CookieStorage(clock: environment.clock) : nil,
            reachability: reachability,
            transport: parts.transport,
            clock: environment.clock
        )
        session.client.networkAccess = parts.networkAccess
        sessions[name] = session
        return session
    }

    // MARK: Groups

    func group(_ step: GroupStep) -> any StackOperation {
        let session = session(step.timing.profile)
        let operation = GroupOperation(step.requests, title: step.title, stack: self)
        monitor.add(operation)
        switch step.kind {
        case .chain(.dependent, _): operation.startSequence(in: session, self)
        case .chain(let order, let limit): operation.startChain(order, limit: limit, in: session, self)
        case .batch(let continues): operation.startBatch(continuesAfterFailure: continues, in: session, self)
        }
        return operation
    }
}
