import CacheSemantics
import Fetching
import HTTPTypes
import ImageLoading
import JSON
import MockOrigin

/// One task of the hammer, which performs random operations drawn with its own seed.
struct HammerTask {
    private let subjects: HammerSubjects
    private let tally: HammerTally
    /// A slot that no other task uses.
    private let own: ImageSlot
    private let number: Int
    private var draws: UInt64

    init(_ number: Int, _ subjects: HammerSubjects) {
        self.subjects = subjects
        self.number = number
        tally = subjects.tally
        draws = UInt64(number + 1)
        let loader = subjects.loaders[number % subjects.loaders.count]
        own = ImageSlot(loader: loader, behaviour: number.isMultiple(of: 2) ? .sdWebImage : .afNetworking)
    }

    mutating func performNext() async {
        switch draw(16) {
        case 0...2: await ask()
        case 3...4: begin()
        case 5: lookAtPool()
        case 6: await lookAtResults()
        case 7...8: load()
        case 9: await loadAndWait()
        case 10...11: await loadIntoOwnSlot()
        case 12: loadIntoSharedSlot()
        case 13: await group()
        case 14: await download()
        default: await disturb()
        }
    }

    /// Returns a random number with Knuth's constants; the upper half is random enough for this.
    private mutating func draw(_ limit: Int) -> Int {
        draws = draws &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(draws >> 33) % limit
    }

    private mutating func drawPicture() -> Int { 1 + draw(HammerSubjects.pictures) }

    private var loader: ImageLoader { own.loader }

    // MARK: Requests

    private mutating func drawRequest() -> (FetchRequest, Int) {
        let number = drawPicture()
        var request = FetchRequest.get("json/\(number)")
        switch draw(8) {
        case 0: request.path = "missing"
        case 1: request.path = "broken"
        case 2: request = request.cached(for: .milliseconds(20))
        default: break
        }
        request.tag = "\(self.number)"
        return (request, number)
    }

    /// Sends a request and waits; every eighth is cancelled meanwhile.
    private mutating func ask() async {
        let (request, number) = drawRequest()
        let task = Task { [subjects, tally] in
            do throws(FetchError) {
                Self.check(try await subjects.session.send(request), number, tally)
            } catch {
                Self.check(error, request, tally)
            }
        }
        if draw(8) == 0 { task.cancel() }
        await task.value
        tally.did("requests")
    }

    /// Starts a request and continues before its callback; limits the number of requests in progress.
    private mutating func begin() {
        guard subjects.session.pool.count < 200 else { return }
        let (request, number) = drawRequest()
        let tally = tally
        let open = tally.open()
        let task = subjects.session.start(request) { result in
            tally.close(open)
            switch result {
            case .success(let response): Self.check(response, number, tally)
            case .failure(let error): Self.check(error, request, tally)
            }
        }
        if draw(4) == 0 { task.cancel() }
        tally.did("callbacks")
    }

    private static func check(_ response: FetchResponse, _ number: Int, _ tally: HammerTally) {
        tally.expect(
            response.json?["number"]?.compactText == "\(number)",
            "\(response.value) was received for \(number)"
        )
    }

    /// Checks that an operation that may fail fails with the right error.
    private static func check(_ error: FetchError, _ request: FetchRequest, _ tally: HammerTally) {
        let isMeant =
            switch error.kind {
            case .cancelled, .offline: true
            case .unacceptableStatus: request.path == "missing" && error.status == 404
            default: request.path == "broken"
            }
        tally.expect(isMeant, "\(request.path): \(error)")
    }

    private mutating func lookAtPool() {
        let pool = subjects.session.pool
        let ids = pool.requests.map(\.id)
        tally.expect(ids == ids.sorted() && Set(ids).count == ids.count, "the pool lists \(ids)")
        _ = pool.descriptions
        _ = pool.requestsByKind
        switch draw(8) {
        case 0: pool.cancel(url: "json/\(drawPicture())")
        case 1: if let id = ids.randomElement() { pool.cancel(id) }
        case 2: pool.cancel(url: "json/\(drawPicture())", method: .get, parameters: [:])
        case 3: pool.cancel(kind: .download)
        case 4 where draw(16) == 0: pool.cancelAll()
        default: _ = pool.requests(url: "json/\(drawPicture())")
        }
        tally.did("looks at the pool")
    }

    private mutating func lookAtResults() async {
        let path = "json/\(drawPicture())"
        do throws(FetchError) {
            switch draw(16) {
            case 0: try await subjects.session.clearCache()
            case 1: _ = try await subjects.session.cacheSize()
            case 2: try await subjects.session.clearCache(path, method: .get)
            default: _ = await subjects.session.cachedValue(path, method: .get, parameters: [:])
            }
        } catch {
            tally.isWrong("the application cache: \(error)")
        }
        tally.did("looks at results")
    }

    private mutating func group() async {
        let numbers = (0..<4).map { _ in drawPicture() }
        let requests = numbers.map { FetchRequest.get("json/\($0)") }
        do throws(FetchError) {
            let responses = try await responses(to: requests)
            for (response, number) in zip(responses, numbers) { Self.check(response, number, tally) }
        } catch {
            return Self.check(error, requests[0], tally)
        }
        tally.did("groups")
    }

    private mutating func responses(to requests: [FetchRequest]) async throws(FetchError) -> [FetchResponse] {
        switch draw(3) {
        case 0: return try await FetchBatch(subjects.session, requests: requests).run()
        case 1:
            return try await FetchSequence(subjects.session, requests: requests).run()
        default:
            let chain = FetchChain(subjects.session, .concurrent)
            for request in requests { chain.add(request) }
            var responses: [FetchResponse] = []
            for result in await chain.results() { responses.append(try result.get()) }
            return responses
        }
    }

    private mutating func download() async {
        // Each name is used by two tasks, so that some downloads are refused.
        var request = DownloadRequest("file?\(number / 2)", to: "\(subjects.folder)/file-\(number / 2)")
        request.isResumable = draw(2) == 0
        let (path, downloads, tally) = (request.path, subjects.downloads, tally)
        let sent = request
        let task = Task {
            do throws(DownloadFailure) {
                let file = try await downloads.download(sent)
                tally.expect(file.size == .bytes(100_000), "\(file.size) were downloaded")
            } catch {
                let isMeant = [.cancelled, .offline, .badRequest].contains(error.error.kind)
                tally.expect(isMeant, "a download: \(error)")
            }
        }
        switch draw(4) {
        case 0: downloads.cancel(path)
        case 1:
            downloads.suspend(path)
            _ = (downloads.running, downloads.suspended)
            downloads.resume(path)
        default: break
        }
        await task.value
        downloads.resume(path)
        tally.did("downloads")
    }

    // MARK: Images

    private mutating func drawImage() -> (ImageRequest, Int) {
        let number = drawPicture()
        var request = ImageRequest(url: subjects.picture(number))
        request.priority = ImagePriority.allCases[draw(3)]
        let options: [ImageLoadOptions] = [
            .retryFailed, .memoryOnly, .progressive, .refreshCached, .handleCookies, .highPriority,
            .useURLCache,
            .loaderOnly, .waitForStore, .finishForCache,
        ]
        for option in options where draw(8) == 0 { request.options.insert(option) }
        if draw(16) == 0 { request.url = subjects.server.url + (draw(2) == 0 ? "/missing" : "/broken") }
        return (request, number)
    }

    private static func check(
        _ result: ImageResult,
        _ request: ImageRequest,
        _ number: Int,
        _ tally: HammerTally
    ) {
        tally.expect(result.url == request.url, "\(result.url) was received for \(request.url)")
        if let image = result.image {
            tally.expect(
                image.size.width == number,
                "an image of \(image.size.width) was received for \(number)"
            )
        } else if let error = result.error, request.url.hasSuffix("/\(number)") {
            tally.expect(error == .cancelled, "\(request.url): \(error)")
        }
    }

    private mutating func load() {
        guard loader.runningLoads < 200 else { return }
        let (request, number) = drawImage()
        let tally = tally
        let load = loader.load(request) { Self.check($0, request, number, tally) }
        if draw(4) == 0 { load.cancel() }
        tally.did("loads")
    }

    private mutating func loadAndWait() async {
        let (request, number) = drawImage()
        let (loader, tally) = (loader, tally)
        let task = Task {
            for await result in loader.results(for: request) { Self.check(result, request, number, tally) }
        }
        if draw(8) == 0 { task.cancel() }
        await task.value
        tally.did("awaited loads")
    }

    /// Loads two images one after the other; the slot must show the second.
    private mutating func loadIntoOwnSlot() async {
        own.load(subjects.picture(drawPicture()))
        await showInOwnSlot()
    }

    private mutating func showInOwnSlot() async {
        let number = drawPicture()
        let slot = own
        let result = await withCheckedContinuation { continuation in
            slot.load(subjects.picture(number), options: .retryFailed) { result in
                if result.isFinal { continuation.resume(returning: result) }
            }
        }
        let shown = slot.behaviour.completionReplacesShowing ? result.image : slot.image
        tally.expect(shown?.size.width == number, "a slot for \(number) shows \(shown?.size.width ?? 0)")
        tally.did("slots shown")
    }

    private mutating func loadIntoSharedSlot() {
        let slot = subjects.slots[draw(subjects.slots.count)]
        let (request, number) = drawImage()
        let tally = tally
        switch draw(8) {
        case 0: slot.cancel()
        case 1: _ = (slot.image, slot.currentURL, slot.isBusy)
        case 2: slot.setImage(request.url)
        default: slot.load(request) { Self.check($0, request, number, tally) }
        }
        tally.did("loads into shared slots")
    }

    // MARK: Everything else

    private mutating func disturb() async {
        let store = subjects.loaders[draw(subjects.loaders.count)].store
        switch draw(16) {
        case 0: subjects.pressure.signal(.warning)
        case 1: subjects.pressure.signal(.critical)
        case 2: store.clearMemory()
        case 3: await store.clearDisk()
        case 4...5: await store.clean()
        case 6...7: await store.remove(store.key(for: subjects.picture(drawPicture())))
        case 8: _ = await store.diskSize()
        case 9: subjects.session.configure { $0.maximumInFlight = $0.maximumInFlight == 24 ? 16 : 24 }
        case 10: subjects.session.setDefaultField(.userAgent, "hammer \(number)")
        case 11: subjects.session.cookies?.removeAll()
        case 12:
            subjects.network.status = .unreachable
            subjects.network.status = .wired
        default: _ = await store.image(for: subjects.picture(drawPicture()))
        }
        tally.did("disturbances")
    }

    /// Checks that its own slot still shows the last requested image after all late responses.
    mutating func finish() async {
        await showInOwnSlot()
        guard !own.behaviour.completionReplacesShowing else { return }
        let number = own.image?.size.width
        await loader.store.queue.drain()
        tally.expect(own.image?.size.width == number, "a slot changed without its owner")
    }
}
