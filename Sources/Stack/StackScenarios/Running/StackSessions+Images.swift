import CacheClient
import CacheStorage
import Clocks
import Conformance
import HTTPTypes
import ImageLoading
import Locks
import Scenarios

extension StackSessions {
    /// Returns the loader of a profile; its images and its HTTP cache are in the stack's folder.
    func loader(_ profile: StackProfile?) throws(SubjectError) -> ImageLoader {
        let profile = profile ?? settings.profile ?? .sdWebImage
        if let known = loaders[profile] { return known }
        var constants = profile.imageProfile
        settings.images?.apply(to: &constants)
        constants.downloads.executor = current.loop
        constants.loads.onMilestone = { [milestones] in milestones.add($0, $1) }
        do throws(StorageError) {
            let loader = try constants.loader(
                directory: folder.path,
                transport: current.transport,
                clock: environment.clock,
                delivery: LoopDelivery(loop: current.loop),
                pressure: pressure
            )
            loader.downloader.networkAccess = current.networkAccess
            loaders[profile] = loader
            return loader
        } catch {
            throw SubjectError("The image caches cannot be opened: \(error)")
        }
    }

    /// Returns the image levels of the chained fetcher's sessions, in the stack's folder.
    func fetchedImages() -> ImageStore {
        if let fetched { return fetched }
        var constants = ImageProfile.sqFetch
        constants.downloads.executor = current.loop
        let store = constants.imageStore(directory: folder.path, clock: environment.clock, pressure: pressure)
        fetched = store
        return store
    }

    func image(_ step: ImageStep) throws(SubjectError) -> any StackOperation {
        let loader = try loader(step.timing.profile)
        let request = request(step)
        let operation = ImageOperation(step, url: request.url, stack: self)
        operation.start(request, by: loader)
        return operation
    }

    private func request(_ step: ImageStep) -> ImageRequest {
        let url = step.path.isEmpty ? "" : environment.address.url(step.path, atOtherHost: step.asksOtherHost)
        var request = ImageRequest.image(at: url)
        for field in HTTPFields(lines: environment.address.fields(step.fields)) {
            request.fields[field.name] = field.value
        }
        request.options = step.options.reduce(into: []) { $0.insert($1.option) }
        request.policy = step.policy
        switch step.priority {
        case "low": request.priority = .low
        case "high": request.priority = .high
        default: break
        }
        return request
    }

    // MARK: Slots

    /// Performs the action of a step on a slot.
    func perform(_ step: SlotStep) throws(SubjectError) {
        if case .release = step.action {
            slots[step.name] = nil
            return
        }
        let record = try slot(step)
        switch step.action {
        case .none, .release: return
        case .cancel: record.slot.cancel()
        case .show(let image): show(image, step, in: record)
        }
    }

    private func show(_ image: ImageStep?, _ step: SlotStep, in record: SlotRecord) {
        let path = image?.path ?? ""
        var completion: (@Sendable (ImageResult) -> Void)?
        if step.hasCompletion { completion = { [weak record] in record?.completed($0, path: path) } }
        record.slot.load(
            image.map(request),
            placeholder: step.hasPlaceholder ? SlotRecord.placeholder : nil,
            completion: completion
        )
    }

    /// Checks what a slot shows; a released slot shows nothing.
    func check(_ step: SlotStep) -> [Mismatch] {
        step.check(slots[step.name]?.observation(below: environment.address.url("")) ?? SlotObservation())
    }

    private func slot(_ step: SlotStep) throws(SubjectError) -> SlotRecord {
        if let known = slots[step.name] { return known }
        let loader = try loader(step.profile)
        let behaviour = (step.profile ?? settings.profile ?? .sdWebImage).imageProfile.slots
        let record = SlotRecord(ImageSlot(loader: loader, behaviour: behaviour))
        slots[step.name] = record
        return record
    }

    // MARK: Caches

    /// Performs an action on the image caches or the queue, and calls `done` afterwards.
    func perform(_ step: ImagesStep, done: @escaping @Sendable () -> Void) throws(SubjectError) {
        let loader = try loader(step.profile)
        switch step.action {
        case nil: done()
        case .clearMemory:
            loader.store.clearMemory()
            done()
        case .hold, .letGo:
            loader.downloader.isSuspended = step.action == .hold
            done()
        case .pressure:
            pressure.signal(.critical)
            done()
        case .forgetFailures:
            loader.failedURLs.removeAll()
            done()
        case .clearDisk, .clean:
            let cleans = step.action == .clean
            Task(executorPreference: current.loop) {
                if cleans { await loader.store.clean() } else { await loader.store.clearDisk() }
                done()
            }
        }
    }

    /// Checks the state of the image caches and the queue.
    func check(_ step: ImagesStep) throws(SubjectError) -> [Mismatch] {
        let loader = try loader(step.profile)
        return step.check(
            running: loader.downloader.runningTransfers,
            failed: loader.failedURLs.count,
            files: loader.store.disk?.size().files ?? 0
        )
    }
}

/// Calls callbacks on the loop of the scenario's client, one at a time.
private struct LoopDelivery: DeliveryQueue {
    let loop: ClientLoop

    var isCurrent: Bool { false }

    func deliver(_ work: @escaping @Sendable () -> Void) { Task(executorPreference: loop) { work() } }
}

extension StackProfile {
    /// The library's settings for images; SJNetwork has none and uses SDWebImage's.
    fileprivate var imageProfile: ImageProfile {
        switch self {
        case .sdWebImage, .sjNetwork: .sdWebImage
        case .sdWebImage5: .sdWebImage5
        case .afNetworking: .afNetworking
        case .sqFetch: .sqFetch
        }
    }
}

extension ImageSettings {
    /// Applies the settings to a profile.
    fileprivate func apply(to profile: inout ImageProfile) {
        if let isLast = isLastInFirstOut {
            profile.downloads.order = isLast ? .lastInFirstOut : .firstInFirstOut
        }
        if let concurrency { profile.downloads.concurrency = concurrency }
        if let obeysHTTP { profile.loads.freshness = obeysHTTP ? .http : .ignored }
        switch failures {
        case "documented": profile.loads.failureRule = .documented
        case "permanent": profile.loads.failureRule = .permanentOnly
        case "never": profile.loads.failureRule = .never
        default: break
        }
        if let failureLifetime { profile.loads.failureLifetime = failureLifetime }
        if let checksFailuresFirst { profile.loads.checksFailuresBeforeCache = checksFailuresFirst }
        if let ageLimit { profile.disk?.ageLimit = ageLimit }
        // 0 is no limit in scenarios.
        if let sizeLimit { profile.disk?.sizeLimit = sizeLimit > 0 ? .bytes(sizeLimit) : nil }
        if let memoryLimit {
            switch profile.memory {
            case .byCost(let cost, _):
                profile.memory = .byCost(cost, limit: memoryLimit > 0 ? memoryLimit : nil)
            case .autoPurging:
                profile.memory = .autoPurging(
                    capacity: .bytes(memoryLimit),
                    preferredUsage: .bytes(memoryLimit / 2)
                )
            }
        }
        if let timeout { profile.downloads.timeout = timeout }
    }
}

extension ImageOption {
    fileprivate var option: ImageLoadOptions {
        switch self {
        case .retryFailed: .retryFailed
        case .memoryOnly: .memoryOnly
        case .progressive: .progressive
        case .refreshCached: .refreshCached
        case .handleCookies: .handleCookies
        case .allowInvalidCertificates: .allowInvalidCertificates
        case .delayPlaceholder: .delayPlaceholder
        case .avoidAutoSet: .avoidAutoSet
        case .useURLCache: .useURLCache
        case .ignoreCachedResponse: .ignoreCachedResponse
        case .cacheOnly: .cacheOnly
        case .loaderOnly: .loaderOnly
        case .finishForCache: .finishForCache
        case .waitForStore: .waitForStore
        }
    }
}
