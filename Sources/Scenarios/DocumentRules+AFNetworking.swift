/// The statements about AFNetworking's sessions and serializers.
extension DocumentRules {
    static let sessions = """
        afnetworking.session.facade|ADV|api|004:2,4|One object makes requests, and has callbacks, events, serializers and reachability.
        afnetworking.session.template-method|ADV|api|004:6|Serializers and monitors are exchanged without touching the flow of a request.
        afnetworking.session.task-per-request|OK|api|004:8|Each request has a task, which tells what was asked for.
        afnetworking.session.delegate-per-task|OK|api|004:9|Two requests with different serializers decode differently at the same time.
        afnetworking.session.map-by-task-id|OK|conc|004:10-11|Each of fifty parallel requests gets its own content, and nothing is left in the pool.
        afnetworking.session.lock|OK|conc|004:14,95|The pool may be used from any task at any time.
        afnetworking.session.main-completion|OK|api|004:12,15,97,133|The profile's callbacks come on the main actor.
        afnetworking.session.completion-queue|OK|api|004:15|Callbacks come on an executor, and in a group, of the caller's choice.
        afnetworking.session.completion-group|OK|conc|004:15,23|A group is told once, after the callbacks of all its successes and failures.
        afnetworking.session.completion-arguments|OK|api|004:16-18|A callback gets a response with its value, or an error with the status where one came.
        afnetworking.session.no-handler|OK|api|004:16|A request without callback ends, and is told of.
        afnetworking.session.did-complete-notification|OK|api|004:19-21|Each request is told of once as completed, after its callback.
        afnetworking.session.tasks-by-kind|OK|api|004:24-41|Running requests are listed by kind, and together in the order ordinary, upload, download.
        afnetworking.session.tasks-sync-wait|FIX|conc|004:26,37-42,96|Asking for the running requests from a callback blocks nobody.
        afnetworking.session.no-runloop|FIX|api|004:93|Requests end without any run loop.
        afnetworking.http.get-post|OK|wire|004:43-44|GET and POST have calls of their own, with parameters in the query and in the content.
        afnetworking.http.shared-instance|ADV|wire|004:125|Ten requests of one session one after another use one connection.
        afnetworking.http.configure|ADV|wire|004:126|Connections, timeout and cache are settings, and each is observed.
        afnetworking.http.parse-off-main|OK|conc|004:127|Serializers do not run on the main actor.
        afnetworking.http.concurrency-limit|OK|wire|004:128-129|The limit of exchanges can be changed at any time, and priorities decide who is next.
        afnetworking.http.upload-download|OK|wire|004:121-123|Uploads tell their progress up to all, and a broken download goes on where it was.
        >2
        afnetworking.http.advantages|ADV|api|004:130-135|Over the bare client there are serializers, callbacks, reachability, errors and progress.
        afnetworking.http.cache-is-urlcache|OK|wire|004:114-115|Caching is HTTP's: a fresh JSON response is not asked for again.
        afnetworking.serial.by-declared-type|OK|wire|004:45-47|Content is parsed by the serializer that was set.
        afnetworking.serial.chain|OK|unit|004:48-50|One compound serializer makes JSON of JSON, XML of XML and an image of an image.
        afnetworking.serial.compound-order|OK|unit|004:119-120|A compound serializer asks its parts in order, and the first success ends it.
        afnetworking.serial.compound-none|EXT|unit|004:120|Where no part can, the request fails, and the error has the content and the status.
        afnetworking.serial.json-request|OK|wire|004:117-118|JSON parameters are a JSON content with its media type, and a GET has them in its query.
        afnetworking.reachability.change-events|OK|unit|004:51-52,134|Every change of the network is told once, in order.
        afnetworking.reachability.singleton|OK|unit|004:53-54|A provider is one object for all who hold it.

        """
}
