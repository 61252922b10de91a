import CacheClient
import Clocks
import Conformance
import Fetching
import ImageLoading
import Locks
import Scenarios

/// The networking stack of one scenario: a session for each profile, over the built-in client's parts.
final class StackSessions {
    let stage: ExtensionStage
    /// Where the stack's files are: results of requests, parts and images.
    let folder: ScratchFolder
    let monitor = StackMonitor()
    let reachability = ScriptedReachability()
    private(set) var settings: StackSettings
    private var sessions: [String: FetchSession] = [:]
    var downloadsByProfile: [String: Downloads] = [:]
    var loaders: [StackProfile: ImageLoader] = [:]
    var slots: [String: SlotRecord] = [:]
    let milestones = MilestoneLog()
    let pressure = ScriptedMemoryPressure()

    /// Creates a stack of no sessions; they are made when they are asked for.
    init(stage: ExtensionStage, settings: StackSettings) throws(SubjectError) {
        self.stage = stage
        self.settings = settings
        do throws(HarnessProblem) {
            folder = try ScratchFolder()
        } catch {
            throw SubjectError(error.description)
        }
    }

    deinit {
        // Their HTTP caches are in the folder, which is removed now.
        for loader in loaders.values { loader.close() }
    }

    /// The client's parts as they are since the last restart.
    var current: ClientParts { stage.client() }

    /// Changes the settings, for what begins afterwards.
    func configure(_ settings: StackSettings) {
        self.settings = settings
        for (name, session) in sessions {
            session.configuration = configuration(StackProfile(rawValue: name))
        }
    }

    /// Drops all sessions.
    func restart() {
        sessions = [:]
        downloadsByProfile = [:]
        for loader in loaders.values { loader.close() }
        loaders = [:]
        slots = [:]
    }

    /// The session of a profile, or of the scenario's.
    func session(_ profile: StackProfile?) -> FetchSession {
        let profile = profile ?? settings.profile
        let name = profile?.rawValue ?? ""
        if let known = sessions[name] { return known }
        let parts = current
        let session = FetchSession(
            configuration(profile),
            store: parts.store,
            cache: ApplicationCache(folder: folder.path + "/results", clock: stage.clock),
            cookies: settings.keepsCookies == true ? CookieStorage(clock: stage.clock) : nil,
            reachability: reachability,
            transport: parts.transport,
            clock: stage.clock
        )
        sessions[name] = session
        return session
    }

    // MARK: Chains and batches

    func chain(_ step: ChainStep) -> any StackOperation {
        let session = session(step.timing.profile)
        let operation = GroupOperation(step.requests, title: step.title, stack: self)
        monitor.add(operation)
        if step.order == .dependent {
            operation.begin(sequence: step, in: session, self)
        } else {
            operation.begin(chain: step, in: session, self)
        }
        return operation
    }

    func batch(_ step: BatchStep) -> any StackOperation {
        let operation = GroupOperation(step.requests, title: step.title, stack: self)
        monitor.add(operation)
        operation.begin(batch: step, in: session(step.timing.profile), self)
        return operation
    }
}
