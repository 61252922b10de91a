import CacheClient
import CacheGateway
import CacheSemantics
import CacheStorage
import Clocks
import HTTPServing
import HTTPTypes
import Locks
import MockOrigin

extension CachingLab {
    /// Performs an action and returns what happened; actions are performed one after another.
    package func perform(_ action: LabAction) async -> LabResult {
        await queue.run { await self.performNow(action) }
    }

    /// Empties the caches and restores the origin; a stopped clock stays stopped, and time never goes back.
    package func reset(_ resource: LabResource = LabResource(), stopsClock: Bool = false) async {
        await queue.run { self.resetNow(resource, stopsClock: stopsClock) }
    }

    private func resetNow(_ resource: LabResource, stopsClock: Bool) {
        if stopsClock { clock.stop() }
        for cache in caches.values { cache.store.removeAll() }
        setOrigin(isUp: true)
        change { origin, now in
            origin = LabOrigin(modified: now)
            origin.use(resource, at: now)
        }
        _ = timeline.take()
    }

    private func performNow(_ action: LabAction) async -> LabResult {
        _ = timeline.take()
        var answer: LabAnswer?
        switch action {
        case .request(let browser, let method, let fields): answer = await request(browser, method, fields)
        case .clear(let browser): caches[browser]?.store.removeAll()
        case .advance(let duration): clock.advance(by: duration)
        case .setClock(let runs): if runs { clock.run() } else { clock.stop() }
        case .change: change { $0.change(at: $1) }
        case .setOrigin(let isUp): setOrigin(isUp: isUp)
        case .purge: gateway.purgeAll()
        case .respond(let resource): change { $0.use(resource, at: $1) }
        }
        return LabResult(action: action, events: timeline.take(), answer: answer, url: url)
    }

    private func change(_ change: (inout LabOrigin, HTTPDate) -> Void) {
        let now = clock.now
        let routes = origin.withLock { origin in
            change(&origin, now)
            return origin.routes
        }
        server.replace(routes: routes)
    }

    private func setOrigin(isUp: Bool) {
        do throws(ServerError) {
            if isUp { try server.startListening() } else { try server.stopListening() }
            origin.withLock { $0.isUp = isUp }
        } catch {
            // The system has no socket for the change: the origin stays unchanged, and the page shows that.
        }
    }

    // MARK: Requests

    private func request(_ browser: LabCacheName, _ method: HTTPRequest.Method, _ fields: [LabField]) async
        -> LabAnswer?
    {
        guard let client = browsers[browser] else { return nil }
        // A form that the origin accepts changes the article.
        if method == .post, origin.withLock({ $0.isUp }) { change { $0.change(at: $1) } }
        var request = ClientRequest(url: url, method: method)
        for field in fields { request.fields.append(HTTPField(name: field.name, value: field.value)) }
        if method == .post { request.body = .bytes(Array("edit=1".utf8)) }
        let answer: LabAnswer
        do throws(ClientError) {
            answer = .response(try await client.fetch(request))
        } catch {
            answer = .failure(error.description)
        }
        // The gateway's validations may be caused by those of the browser.
        await client.waitForBackgroundWork()
        await gateway.waitForBackgroundWork()
        return answer
    }
}
