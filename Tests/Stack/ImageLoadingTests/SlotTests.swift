import CacheClient
import CacheSemantics
import Clocks
import Fetching
import HTTPTypes
@testable import ImageLoading
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Slots for images", .timeLimit(.minutes(20)))
struct SlotTests {
    private func width(_ slot: ImageSlot) -> Int? { slot.image?.size.width }

    /// Returns an origin with a slow image of 10 pixels at /a, and one of 20 at /b.
    private func slowAndFast() throws -> ImageOrigin {
        try ImageOrigin([
            .image("/a", TestImages.png(10, 4)) { $0.hold = .head }, .image("/b", TestImages.png(20, 4)),
            .path("/404", [.status(404)]),
        ])
    }

    @Test(
        "A load first cancels the slot's current one, whose completion is never called",
        .checks(
            "sdwebimage.slot.cancel-previous",
            "af2.image.cancel-previous",
            "sdwebimage.slot.binds-url",
            "sdwebimage.slot.sets-image"
        ),
        arguments: [ImageSlot.Behaviour.sdWebImage, .afNetworking]
    )
    func cancelsPrevious(behaviour: ImageSlot.Behaviour) async throws {
        let origin = try slowAndFast()
        let slot = ImageSlot(loader: try origin.loader(), behaviour: behaviour)
        let heard = Heard<String>()
        slot.load(origin.url("/a")) { _ in heard.add("a") }
        #expect(slot.currentURL == origin.url("/a"))
        await until { origin.namespace.parked.count == 1 }
        slot.load(origin.url("/b"))
        #expect(slot.currentURL == origin.url("/b"))
        await until { self.width(slot) == 20 && origin.aborted == 1 && !slot.isBusy }
        #expect(slot.needsLayout)
        await origin.delivery.drain()
        #expect(heard.count == 0)
    }

    @Test(
        "However quickly loads follow each other, a slot has at most one exchange",
        .checks("sdwebimage.slot.one-operation")
    )
    func oneOperation() async throws {
        let origin = try ImageOrigin([.path("/*", [.image(TestImages.png()) { $0.hold = .head }])])
        let slot = ImageSlot(loader: try origin.loader())
        for number in 0..<10 {
            slot.load(origin.url("/\(number)"))
            #expect(slot.operations[OperationTable.imageKey].count == 1)
        }
        await until { origin.namespace.parked.count == 1 && origin.hits("/9") == 1 }
        await until { origin.openExchanges == 1 }
    }

    @Test(
        "Operations are stored by key, alone or as a list, and cancelled by key",
        .checks("sdwebimage.slot.keyed-operations", "sdwebimage.slot.any-view")
    )
    func keyedOperations() {
        final class Operation: CancellableOperation {
            private let state = Lock(false)
            var isCancelled: Bool { state.withLock { $0 } }
            func cancel() { state.withLock { $0 = true } }
        }
        /// Any object may own a table.
        struct Button {
            let operations = OperationTable()
        }
        let button = Button()
        let (image, one, two, later) = (Operation(), Operation(), Operation(), Operation())
        button.operations.set([image], for: OperationTable.imageKey)
        button.operations.set([one, two], for: "highlighted")
        button.operations.cancel("highlighted")
        #expect(one.isCancelled && two.isCancelled && !image.isCancelled)
        button.operations.set([later], for: OperationTable.imageKey)
        #expect(image.isCancelled && !later.isCancelled)
        button.operations.remove(OperationTable.imageKey)
        #expect(!later.isCancelled && button.operations[OperationTable.imageKey].isEmpty)
        #expect(OperationTable.imageKey == "UIImageViewImageLoad")
    }

    @Test(
        "A released slot cancels its load, and no completion is called",
        .checks("sdwebimage.slot.owns-operation", "sdwebimage.slot.weak-view")
    )
    func letGo() async throws {
        let origin = try slowAndFast()
        let loader = try origin.loader()
        let heard = Heard<Bool>()
        var slot: ImageSlot? = ImageSlot(loader: loader)
        weak let seen = slot
        slot?.load(origin.url("/a")) { _ in heard.add(true) }
        await until { origin.namespace.parked.count == 1 }
        slot = nil
        #expect(seen == nil)
        await until { origin.aborted == 1 && loader.runningLoads == 0 }
        await origin.delivery.drain()
        #expect(heard.count == 0)
    }

    @Test(
        "An image whose slot is released is still cached, as with AFNetworking",
        .checks("af2.image.lost-if-slot-gone", "sdwebimage.slot.weak-view")
    )
    func cachedWithoutSlot() async throws {
        let origin = try slowAndFast()
        let loader = try origin.loader()
        var slot: ImageSlot? = ImageSlot(loader: loader, behaviour: .afNetworking)
        slot?.setImage(origin.url("/a"))
        await until { origin.namespace.parked.count == 1 }
        slot = nil
        origin.namespace.release(label: nil)
        await until { loader.store.imageInMemory(origin.url("/a")) != nil }
        #expect(origin.hits() == 1 && origin.aborted == 0)
    }

    @Test(
        "With the option, an image that arrives after the slot has moved on is cached",
        .checks("af2.image.caches-even-if-stale")
    )
    func cachedLate() async throws {
        let origin = try slowAndFast()
        let ended = Heard<String>()
        let loader = try origin.loader(downloads: { $0.onEnd = { ended.add($0) } })
        let slot = ImageSlot(loader: loader, behaviour: .afNetworking)
        slot.setImage(ImageRequest(url: origin.url("/a"), options: .finishForCache))
        await until { origin.namespace.parked.count == 1 }
        slot.setImage(origin.url("/b"))
        await until { self.width(slot) == 20 }
        origin.namespace.release(label: nil)
        await until { ended.values.contains(origin.url("/a")) }
        #expect(loader.store.imageInMemory(origin.url("/a")) != nil)
        #expect(width(slot) == 20)
        slot.setImage(origin.url("/a"))
        #expect(width(slot) == 10)
        #expect(origin.hits("/a") == 1)
    }

    @Test(
        "The placeholder is shown immediately, and no placeholder clears the slot",
        .checks("sdwebimage.slot.placeholder-now")
    )
    func placeholderNow() async throws {
        let origin = try slowAndFast()
        let slot = ImageSlot(loader: try origin.loader())
        slot.load(origin.url("/b"))
        await until { self.width(slot) == 20 }
        slot.load(origin.url("/a"), placeholder: try TestImages.image(3, 3))
        #expect(width(slot) == 3)
        slot.load(origin.url("/a"))
        #expect(slot.image == nil)
    }

    @Test(
        "AFNetworking's slot keeps the old image without a placeholder",
        .checks("af2.image.placeholder-on-miss")
    )
    func placeholderOnMiss() async throws {
        let origin = try slowAndFast()
        let slot = ImageSlot(loader: try origin.loader(), behaviour: .afNetworking)
        slot.setImage(origin.url("/b"))
        await until { self.width(slot) == 20 }
        slot.setImage(origin.url("/a"))
        #expect(width(slot) == 20)
        slot.setImage(origin.url("/a"), placeholder: try TestImages.image(3, 3))
        #expect(width(slot) == 3)
    }

    @Test(
        "A delayed placeholder is shown only after a load without an image",
        .checks("sdwebimage.slot.delay-placeholder")
    )
    func delayedPlaceholder() async throws {
        let origin = try slowAndFast()
        let slot = ImageSlot(loader: try origin.loader())
        let shown = Heard<Int?>()
        let placeholder = try TestImages.image(3, 3)
        slot.load(origin.url("/b"))
        await until { self.width(slot) == 20 && !slot.isBusy }
        slot.onChange { shown.add($0?.size.width) }
        slot.load(origin.url("/a"), placeholder: placeholder, options: .delayPlaceholder)
        #expect(width(slot) == 20)
        slot.load(origin.url("/404"), placeholder: placeholder, options: .delayPlaceholder)
        await until { !slot.isBusy && self.width(slot) == 3 }
        slot.load(origin.url("/b"), placeholder: placeholder, options: [.delayPlaceholder, .loaderOnly])
        await until { !slot.isBusy && self.width(slot) == 20 }
        #expect(shown.values == [3, 20])
    }

    @Test(
        "A load without a URL completes with a specific error, and nothing is sent",
        .checks("sdwebimage.slot.nil-url")
    )
    func withoutURL() async throws {
        let origin = try slowAndFast()
        let slot = ImageSlot(loader: try origin.loader())
        let (errors, places, delivery) = (Heard<ImageError?>(), Heard<Bool>(), origin.delivery)
        slot.load(origin.url("/a"))
        await until { origin.namespace.parked.count == 1 }
        slot.load(nil as String?, placeholder: try TestImages.image(3, 3)) { result in
            errors.add(result.error)
            places.add(delivery.isCurrent)
        }
        #expect(!slot.isBusy && width(slot) == 3)
        await until { errors.count == 1 && origin.aborted == 1 }
        #expect(errors.values == [ImageError(domain: .image, code: -1, detail: "")])
        #expect(places.values == [true])
        #expect(ImageError.Domain.image.rawValue == "SDWebImageErrorDomain")
        #expect(origin.hits() == 1)
    }

    @Test(
        "A slot is busy from the start of a load to its end, which no older load affects",
        .checks("sdwebimage.slot.busy-indicator")
    )
    func busy() async throws {
        let origin = try slowAndFast()
        let slot = ImageSlot(loader: try origin.loader())
        #expect(!slot.isBusy)
        slot.load(origin.url("/404"))
        #expect(slot.isBusy)
        await until { !slot.isBusy }
        slot.load(origin.url("/b"))
        slot.load(origin.url("/a"))
        await until { origin.namespace.parked.count == 1 }
        await origin.delivery.drain()
        #expect(slot.isBusy)
        origin.namespace.release(label: nil)
        await until { !slot.isBusy && self.width(slot) == 10 }
    }

    @Test(
        "The image is shown, and the completion called, on the delivery queue",
        .checks("sdwebimage.slot.main-executor")
    )
    func mainExecutor() async throws {
        let origin = try slowAndFast()
        let slot = ImageSlot(loader: try origin.loader())
        let (places, delivery) = (Heard<Bool>(), origin.delivery)
        slot.onChange { if $0 != nil { places.add(delivery.isCurrent) } }
        slot.load(origin.url("/b")) { _ in places.add(delivery.isCurrent) }
        await until { places.count == 2 }
        #expect(places.values == [true, true])
    }

    @Test(
        "With avoid-auto-set, an image is passed to the completion and not shown",
        .checks("sdwebimage.slot.avoid-auto-set")
    )
    func avoidAutoSet() async throws {
        let origin = try slowAndFast()
        let slot = ImageSlot(loader: try origin.loader())
        let widths = Heard<Int?>()
        slot.load(origin.url("/b"), options: .avoidAutoSet) { widths.add($0.image?.size.width) }
        await until { widths.count == 1 }
        #expect(widths.values == [20] && slot.image == nil)
        slot.load(origin.url("/b"), options: [.avoidAutoSet, .loaderOnly])
        await until { self.width(slot) == 20 }
    }

    @Test(
        "Partial images change the slot; only the final result is a completion",
        .checks("sdwebimage.slot.completion-only-when-finished", "sdwebimage.slot.single-funnel")
    )
    func partial() async throws {
        let bytes = try JPEGCodec().encode(TestImages.noise(64, 64), quality: 1)
        let origin = try ImageOrigin([
            .image("/a", bytes) {
                $0.send(inPieces: [Int](repeating: bytes.count / 5, count: 5), of: bytes.count)
            }
        ])
        let slot = ImageSlot(loader: try origin.loader())
        let (changes, ends) = (Heard<Int?>(), Heard<Bool>())
        slot.onChange { changes.add($0?.size.width) }
        slot.load(origin.url("/a"), options: .progressive) { ends.add($0.isFinal) }
        var steps = 0
        await until {
            // The next piece is sent after the previous one is shown.
            if !origin.namespace.parked.isEmpty, changes.values.count(where: { $0 == 64 }) >= steps {
                origin.clock.advance(by: .seconds(1))
                steps += 1
            }
            return ends.count > 0
        }
        await origin.delivery.drain()
        #expect(ends.values == [true])
        #expect(changes.values.count(where: { $0 == 64 }) >= 4)
    }

    @Test(
        "AFNetworking's short forms equal the full form, for images only, and show an image from memory, too",
        .checks("af2.image.convenience"),
        arguments: [false, true]
    )
    func shortForms(hasPlaceholder: Bool) async throws {
        let origin = try slowAndFast()
        let loader = try origin.loader { $0.slots = .afNetworking }
        let placeholder = hasPlaceholder ? try TestImages.image(3, 3) : nil
        let (short, full) = (origin.url("/b"), ImageRequest.image(at: origin.url("/b")))
        let forms: [@Sendable (ImageSlot) -> Void] = [
            { slot in
                if let placeholder {
                    slot.setImage(short, placeholder: placeholder)
                } else {
                    slot.setImage(short)
                }
            },
            { $0.setImage(full, placeholder: placeholder, success: nil, failure: nil) },
        ]
        var logs: [[Int?]] = []
        for form in forms {
            loader.store.clearMemory()
            let slot = ImageSlot(loader: loader)
            let shown = Heard<Int?>()
            slot.onChange { shown.add($0?.size.width) }
            for _ in 1...2 {
                form(slot)
                await until { !slot.isBusy }
                await origin.delivery.drain()
            }
            logs.append(shown.values)
        }
        #expect(logs == Array(repeating: hasPlaceholder ? [3, 20, 20] : [20, 20], count: 2))
        #expect(origin.hits() == 2)
        #expect((0..<2).map { origin.fields($0, "accept") } == [["image/*"], ["image/*"]])
    }

    @Test("A slot behaves as the profile of its loader, unless it is given another behaviour")
    func behaviours() throws {
        let origin = try slowAndFast()
        for (profile, behaviour) in [
            (ImageProfile.sdWebImage, ImageSlot.Behaviour.sdWebImage), (.sdWebImage5, .sdWebImage),
            (.afNetworking, .afNetworking), (.sqFetch, .sdWebImage),
        ] {
            let loader = try profile.loader(directory: nil, transport: origin.transport, clock: origin.clock)
            #expect(ImageSlot(loader: loader).behaviour == behaviour)
            #expect(ImageSlot(loader: loader, behaviour: .afNetworking).behaviour == .afNetworking)
        }
    }

    @Test(
        "The short form equals the full form with the defaults",
        .checks("sdwebimage.slot.single-funnel")
    )
    func funnel() async throws {
        let origin = try slowAndFast()
        let loader = try origin.loader()
        var logs: [[Int?]] = []
        for form in 0..<3 {
            let slot = ImageSlot(loader: loader)
            let shown = Heard<Int?>()
            slot.onChange { shown.add($0?.size.width) }
            let request = ImageRequest(url: origin.url("/b"), options: .loaderOnly)
            switch form {
            case 0: slot.load(origin.url("/b"), options: .loaderOnly)
            case 1:
                slot.load(
                    origin.url("/b"),
                    placeholder: nil,
                    options: .loaderOnly,
                    completion: nil,
                    progress: nil
                )
            default: slot.load(request, placeholder: nil, options: [], completion: nil, progress: nil)
            }
            await until { !slot.isBusy }
            logs.append(shown.values)
        }
        #expect(logs == [[nil, 20], [nil, 20], [nil, 20]])
    }

    @Test(
        "A late completion of an older load is not shown",
        .checks(
            "sdwebimage.slot.url-not-rechecked",
            "af2.image.success-identity-check",
            "af2.image.operation-cleared-if-own",
            "af2.image.failure-identity-check"
        ),
        arguments: [ImageSlot.Behaviour.sdWebImage, .afNetworking]
    )
    func lateCompletion(behaviour: ImageSlot.Behaviour) async throws {
        let origin = try ImageOrigin([
            .image("/a", TestImages.png(10, 4)), .image("/b", TestImages.png(20, 4)) { $0.hold = .head },
            .path("/404", [.status(404)]),
        ])
        for path in ["/a", "/404"] {
            // The delivery queue is held until the slot has another load.
            let held = HeldDelivery()
            let configuration = ImageDownloader.Configuration()
            let downloader = ImageDownloader(
                configuration,
                transport: origin.transport,
                clock: origin.clock,
                delivery: held
            )
            let loader = ImageLoader(store: ImageStore(), downloader: downloader)
            let slot = ImageSlot(loader: loader, behaviour: behaviour)
            let heard = Heard<String>()
            let request = ImageRequest(url: origin.url(path))
            slot.setImage(
                request,
                success: { _, _, _ in heard.add("success") },
                failure: { _, _ in heard.add("failure") }
            )
            await until { held.count == 1 }
            let second = slot.setImage(origin.url("/b"))
            held.open()
            #expect(slot.image == nil && heard.count == 0)
            #expect(slot.operations[OperationTable.imageKey].first === second)
            slot.cancel()
        }
    }

    @Test("A load superseded by the same URL reports nothing", .checks("af2.image.same-url-twice"))
    func sameURL() async throws {
        let origin = try slowAndFast()
        let slot = ImageSlot(loader: try origin.loader(), behaviour: .afNetworking)
        let heard = Heard<String>()
        for number in 0..<2 {
            slot.setImage(
                ImageRequest(url: origin.url("/a")),
                success: { _, _, _ in heard.add("success \(number)") },
                failure: { _, _ in heard.add("failure \(number)") }
            )
        }
        await until { origin.namespace.parked.count >= 1 }
        await until {
            origin.namespace.release(label: nil)
            return heard.count > 0
        }
        await origin.delivery.drain()
        #expect(heard.values == ["success 1"])
    }

    @Test(
        "Reused slots never show an image that was loaded for another use",
        .checks("sdwebimage.slot.cell-reuse", "nscache.evicts-what-ui-does-not-use")
    )
    func cellReuse() async throws {
        let routes = try (0..<50).map { number in
            try Route.image("/\(number)", TestImages.png(10 + number, 2))
        }
        let origin = try ImageOrigin(routes)
        // The cache is small, so images that slots show are evicted.
        let loader = try origin.loader(memory: CostImageCache(costLimit: 200))
        let slots = (0..<20).map { _ in ImageSlot(loader: loader) }
        let wrong = Heard<Int>()
        for slot in slots {
            slot.onChange { [weak slot] image in
                guard let image, let url = slot?.currentURL else { return }
                if !url.hasSuffix("/\(image.size.width - 10)") { wrong.add(image.size.width) }
            }
        }
        // The second time, some of the images are in memory.
        for _ in 1...2 {
            for turn in 0..<200 { slots[turn % 20].load(origin.url("/\((turn * 7) % 50)")) }
            await until { slots.allSatisfy { !$0.isBusy } }
        }
        for (number, slot) in slots.enumerated() {
            #expect(width(slot) == 10 + ((180 + number) * 7) % 50)
        }
        #expect(wrong.values == [])
        let cached = slots.count { $0.currentURL.flatMap { loader.store.imageInMemory($0) } != nil }
        #expect(cached < slots.count)
    }

    // MARK: AFNetworking's category

    @Test(
        "The short form sends Accept: image/*; a custom request is sent unchanged",
        .checks("af2.image.accept-header")
    )
    func accept() async throws {
        let origin = try slowAndFast()
        let slot = ImageSlot(loader: try origin.loader(), behaviour: .afNetworking)
        slot.setImage(origin.url("/b"))
        await until { !slot.isBusy }
        slot.setImage(ImageRequest(url: origin.url("/404")))
        await until { !slot.isBusy }
        #expect((0..<2).map { origin.fields($0, "accept") } == [["image/*"], []])
    }

    @Test(
        "A hit in memory is shown before the call returns, leaves no operation, and passes no request and response to success",
        .checks(
            "af2.image.memory-hit-no-network",
            "af2.image.memory-hit-callback",
            "af2.image.hit-clears-operation",
            "afnetworking.image-downloader.cache-check"
        )
    )
    func memoryHit() async throws {
        let origin = try slowAndFast()
        let loader = try origin.loader()
        let (first, second) = (
            ImageSlot(loader: loader, behaviour: .afNetworking),
            ImageSlot(loader: loader, behaviour: .afNetworking)
        )
        first.setImage(origin.url("/b"))
        await until { self.width(first) == 20 }
        #expect(second.setImage(origin.url("/b")) == nil)
        #expect(width(second) == 20 && !second.isBusy)
        #expect(second.operations[OperationTable.imageKey].isEmpty)
        let heard = Heard<[Bool]>()
        second.setImage(
            ImageRequest(url: origin.url("/b")),
            success: { request, response, image in
                heard.add([request == nil, response == nil, image?.size.width == 20])
            }
        )
        await until { heard.count == 1 }
        #expect(heard.values == [[true, true, true]])
        #expect(origin.hits() == 1)
    }

    @Test(
        "With a success callback, the slot does not show the image itself, hit or not",
        .checks("af2.image.success-replaces-assignment", "af2.image.nil-object-not-assigned")
    )
    func successReplaces() async throws {
        let origin = try ImageOrigin([.image("/b", TestImages.png(20, 4)), .image("/empty", [])])
        let loader = try origin.loader(downloads: { $0.allowsEmptyContent = true })
        let slot = ImageSlot(loader: loader, behaviour: .afNetworking)
        let heard = Heard<Int?>()
        for number in 1...2 {
            slot.setImage(
                ImageRequest(url: origin.url("/b")),
                success: { _, response, image in
                    heard.add(response == nil ? -1 : image?.size.width)
                }
            )
            await until { heard.count == number }
            #expect(slot.image == nil)
        }
        #expect(heard.values == [20, -1])
        slot.setImage(origin.url("/b"))
        slot.setImage(origin.url("/empty"))
        await until { !slot.isBusy }
        #expect(width(slot) == 20)
    }

    @Test(
        "A failure is reported while its load is current, and the shown image stays",
        .checks("af2.image.failure-identity-check")
    )
    func failureKeepsImage() async throws {
        let origin = try slowAndFast()
        let slot = ImageSlot(loader: try origin.loader(), behaviour: .afNetworking)
        slot.setImage(origin.url("/b"))
        await until { self.width(slot) == 20 }
        let errors = Heard<ImageError>()
        slot.setImage(ImageRequest(url: origin.url("/404")), failure: { _, error in errors.add(error) })
        await until { errors.count == 1 }
        #expect(errors.values == [.status(404)] && width(slot) == 20)
    }

    @Test(
        "A response whose content type is not an image's fails and is not cached",
        .checks("af2.image.response-serializer")
    )
    func contentType() async throws {
        let origin = try ImageOrigin([
            .path("/a", [.image(TestImages.png(), type: "text/html; charset=utf-8")])
        ]
        )
        let loader = try ImageProfile.afNetworking.loader(
            directory: nil,
            transport: origin.transport,
            clock: origin.clock,
            delivery: origin.delivery,
            pressure: nil
        )
        let slot = ImageSlot(loader: loader, behaviour: ImageProfile.afNetworking.slots)
        let errors = Heard<ImageError>()
        slot.setImage(ImageRequest(url: origin.url("/a")), failure: { _, error in errors.add(error) })
        await until { errors.count == 1 }
        #expect(errors.values == [.unacceptableContentType(nil)])
        #expect(loader.store.imageInMemory(origin.url("/a")) == nil)
    }

    @Test(
        "All slots share one queue: when suspended, it holds every request",
        .checks("af2.image.shared-queue", "sdwebimage.slot.low-priority-while-scrolling")
    )
    func sharedQueue() async throws {
        let origin = try ImageOrigin([.path("/*", [.image(TestImages.png(20, 4))])])
        let loader = try origin.loader()
        loader.downloader.isSuspended = true
        let slots = (0..<10).map { _ in ImageSlot(loader: loader) }
        for (number, slot) in slots.enumerated() { slot.load(origin.url("/\(number)")) }
        #expect(loader.downloader.runningTransfers == 0 && origin.hits() == 0)
        loader.downloader.isSuspended = false
        await until { slots.allSatisfy { self.width($0) == 20 } }
        #expect(origin.hits() == 10)
    }

    @Test(
        "Memory pressure empties the memory cache, and reload policies do not use it",
        .checks("af2.image.memory-cache-is-nscache", "af2.image.no-urlcache")
    )
    func nscache() async throws {
        let origin = try ImageOrigin([
            .path("/a", [.image(TestImages.png(20, 4), cacheControl: "max-age=60")])
        ])
        let pressure = ScriptedMemoryPressure()
        let loader = try ImageProfile.afNetworking.loader(
            directory: nil,
            transport: origin.transport,
            clock: origin.clock,
            delivery: origin.delivery,
            pressure: pressure
        )
        func load(_ policy: RequestPolicy) async throws -> ImageSource {
            var last: ImageResult?
            for await result in loader.results(for: policy.request(origin.url("/a"))) { last = result }
            return try #require(last).source
        }
        #expect(try await load(.usual) == .network)
        #expect(try await load(.usual) == .memory)
        #expect(try await load(.reload) == .network)
        #expect(origin.hits() == 2)
        pressure.signal(.warning)
        // The HTTP cache below the image cache has it.
        #expect(try await load(.usual) == .network)
        #expect(origin.hits() == 2)
    }

    @Test(
        "A new operation is ready, and responds to a challenge with the credential",
        .checks("af2.operation.defaults")
    )
    func operationDefaults() async throws {
        let challenge = Answer.status(401, [FieldLine("WWW-Authenticate", .text("Basic realm=\"r\""))])
        let origin = try ImageOrigin([.path("/b", [challenge, .image(TestImages.png(20, 4))])])
        let downloader = origin.downloader {
            $0.credential = .basic(user: "Aladdin", password: "open sesame")
        }
        downloader.isSuspended = true
        let widths = Heard<Int?>()
        let receipt = downloader.receive(ImageRequest(url: origin.url("/b"))) { result in
            widths.add((try? result.get())?.content?.image?.size.width)
        }
        #expect(receipt.state == .ready)
        #expect(receipt.request.url == origin.url("/b"))
        #expect(origin.hits() == 0)
        downloader.isSuspended = false
        await until { receipt.state == .finished && widths.count == 1 }
        #expect(widths.values == [20])
        #expect(
            (0..<2).map { origin.fields($0, "authorization") } == [
                [], ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="],
            ]
        )
    }

    @Test(
        "An operation without a request does not compile",
        .checks("af2.operation.requires-request")
    )
    func requestRequired() async throws {
        let downloader = try slowAndFast().downloader()
        // As for loads: the compiler chooses the stand-ins only if the library has no such overload.
        #expect(downloader.download(nil) { _ in } == NoOverload())
        #expect(downloader.download { _ in } == NoOverload())
        #expect(downloader.runningTransfers == 0)
    }

    @Test(
        "A slot uses the loader it is given, and transfers no bytes itself",
        .checks(
            "afnetworking.image-downloader.replaceable",
            "afnetworking.image-downloader.layering",
            "afnetworking.image-downloader.receipt"
        )
    )
    func replaceable() async throws {
        let (one, other) = (try slowAndFast(), try slowAndFast())
        let given = try one.loader()
        let slot = ImageSlot(loader: given)
        let second = ImageSlot(loader: try other.loader())
        slot.load(one.url("/b"))
        second.load(other.url("/a"))
        await until { self.width(slot) == 20 && other.namespace.parked.count == 1 }
        #expect((one.hits(), other.hits()) == (1, 1))
        #expect(given.store.imageInMemory(one.url("/b")) != nil)
        let receipt = try #require((second.operations[OperationTable.imageKey].first as? ImageLoad)?.receipt)
        receipt.cancel()
        await until { other.aborted == 1 }
    }
}

extension ImageDownloader {
    @_disfavoredOverload
    fileprivate func download(_ request: Never?, completion: (Never) -> Void) -> NoOverload { NoOverload() }
    @_disfavoredOverload
    fileprivate func download(completion: (Never) -> Void) -> NoOverload { NoOverload() }
}

/// A policy, named by its purpose in a test.
private enum RequestPolicy {
    case usual, reload

    func request(_ url: String) -> ImageRequest {
        switch self {
        case .usual: ImageRequest(url: url)
        case .reload: ImageRequest(url: url, policy: .reloadIgnoringLocalCacheData)
        }
    }
}

/// Holds deliveries until it is opened, then delivers immediately.
private final class HeldDelivery: DeliveryQueue {
    private let state = Lock((held: [@Sendable () -> Void](), isOpen: false))

    var count: Int { state.withLock { $0.held.count } }
    var isCurrent: Bool { true }

    func deliver(_ work: @escaping @Sendable () -> Void) {
        let runs = state.withLock { state in
            if !state.isOpen { state.held.append(work) }
            return state.isOpen
        }
        if runs { work() }
        news.signal()
    }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            return state.held
        }
        for work in held { work() }
    }
}
