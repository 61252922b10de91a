import CacheSemantics
import Conformance
import Fetching
import HTTPTypes
import ImageLoading
import MockOrigin
import OriginScript
import Scenarios

extension StackSessions {
    /// The folder of downloaded files.
    var downloadFolder: String { folder.path + "/downloads" }

    /// Returns the downloads of a profile's session; all profiles share a folder of partial downloads.
    func downloads(_ profile: StackProfile?) -> Downloads {
        let name = (profile ?? settings.profile)?.rawValue ?? ""
        if let known = downloadsByProfile[name] { return known }
        let made = Downloads(
            session(profile),
            partialFolder: folder.path + "/parts"
        )
        downloadsByProfile[name] = made
        return made
    }

    func download(_ step: DownloadStep) -> any StackOperation {
        let downloads = downloads(step.timing.profile)
        let path = step.asksOtherHost ? environment.address.url(step.path, atOtherHost: true) : step.path
        let operation = DownloadOperation(step, path, stack: self, downloads: downloads)
        operation.start(tag: monitor.add(operation))
        return operation
    }

    /// Performs an action on downloads, and checks their state.
    func perform(_ step: DownloadsStep) throws(SubjectError) -> [Mismatch] {
        let downloads = downloads(step.profile)
        do throws(FetchError) {
            try perform(step.action, on: downloads)
            return step.check(
                running: downloads.running,
                suspended: downloads.suspended,
                parts: step.parts == nil ? [] : try parts(downloads)
            )
        } catch {
            throw SubjectError("\(error)")
        }
    }

    private func perform(_ action: DownloadsStep.Action, on downloads: Downloads) throws(FetchError) {
        switch action {
        case .none: return
        case .suspend(let paths): if let paths { downloads.suspend(paths) } else { downloads.suspendAll() }
        case .resume(let paths): if let paths { downloads.resume(paths) } else { downloads.resumeAll() }
        case .cancel(let paths): if let paths { downloads.cancel(paths) } else { downloads.cancelAll() }
        case .background(let isThere):
            if isThere { downloads.enterBackground() } else { downloads.enterForeground() }
        case .removeParts: try downloads.removePartialDownloads()
        }
    }

    private func parts(_ downloads: Downloads) throws(FetchError) -> [PartExpectation] {
        let origin = environment.address.url("")
        return try downloads.partialDownloads().map { part in
            var known = PartExpectation(
                path: part.url.hasPrefix(origin) ? String(part.url.dropFirst(origin.count)) : part.url
            )
            known.received = part.received.bytes
            known.total = part.total?.bytes
            known.ratio = part.ratio
            return known
        }
    }

    func upload(_ step: UploadStep) throws(SubjectError) -> any StackOperation {
        let session = session(step.timing.profile)
        let request = step.request
        let path =
            request.asksOtherHost ? environment.address.url(request.path, atOtherHost: true) : request.path
        var upload = Upload.images(path, [])
        for item in step.items { upload.items.append(try self.item(item)) }
        if let base = request.base { upload.base = .url(environment.address.url(base)) }
        if let name = step.name { upload.name = name }
        if let type = step.mimeType { upload.mediaType = type }
        if let ratio = step.ratio { upload.compressionRatio = ratio }
        // The boundary must be the same in every run: faults depend on requests' content, and wire logs are
        // compared.
        let draw = FaultDraw(seed: 0, scope: request.path, request: "upload")
        upload.boundary = "cachecheck-" + String(draw.bits(.requestBody, "boundary"), radix: 36)
        do throws(FetchError) {
            for (name, value) in request.parameters { upload.parameters[name] = try value.json([:]) }
        } catch {
            throw SubjectError("\(error)")
        }
        upload.fields = HTTPFields(lines: environment.address.fields(request.fields))
        upload.timeout = request.timeout
        let operation = UploadOperation(step, stack: self)
        operation.start(upload, in: session, on: current.loop)
        return operation
    }

    /// Returns an item of the upload; a fixture is written to a file, so that it is read while it is sent.
    private func item(_ item: UploadStep.Item) throws(SubjectError) -> Upload.Item {
        switch item.source {
        case .body(let source): return Upload.Item(source.content, fileName: item.fileName)
        case .file(let name):
            guard let bytes = MockServer.builtInFixture(name) else {
                throw SubjectError("There is no built-in fixture \"\(name)\".")
            }
            let path = folder.path + "/uploads/" + name
            try StackFiles.write(bytes, to: path)
            return Upload.Item(path: path, fileName: item.fileName)
        }
    }

    // MARK: Pool

    /// Cancels requests through the pool, and checks the pool's state.
    func perform(_ step: PoolStep) -> [Mismatch] {
        let session = session(step.profile)
        let pool = session.pool
        var seen = PoolObservation()
        seen.cancelled = step.cancelling.map { cancel($0, in: pool) } ?? 0
        seen.requests = pool.requests.map { "\($0.method.rawValue) \($0.path)" }
        seen.kinds = pool.requestsByKind.map(\.kind.rawValue)
        seen.isBusy = pool.isBusy
        seen.descriptions = pool.descriptions.flatMap {
            $0.split(whereSeparator: \.isNewline).map(String.init)
        }
        seen.waiting = session.waitingCount
        return step.check(seen)
    }

    private func cancel(_ what: PoolStep.Cancelling, in pool: RequestPool) -> Int {
        switch what {
        case .all: pool.cancelAll()
        case .paths(let paths): pool.cancel(urls: paths)
        case .exactly(let path, let method, let parameters):
            pool.cancel(
                url: path,
                method: HTTPRequest.Method(rawValue: method) ?? .get,
                parameters: Parameters(parameters.mapValues(\.constant))
            )
        case .kind(let kind): pool.cancel(kind: FetchRequest.Kind(rawValue: kind) ?? .ordinary)
        }
    }
}
