/// The documents' statements that are checked here, as a table: `id | verdict | kind | source | what is checked`.
///
/// Sources are document and lines. For a wrong statement the sentence says the corrected behaviour.
enum DocumentRules {
    static let table =
        principles + semantics + mockServer + urlCache + policies + willCache + security + customCache
        + "\n" + images + imageLoads + imageDownloads + transfers
        + "\n" + chainedFetching + fetchedImages + sessions + requests + requestManagement

    private static let principles = """
        principle.compress-payload|ADV|wire|000:24,35|The same JSON decodes alike with and without gzip and is smaller on the wire with it.
        principle.cache-identical-results|OK|wire|000:22,25|Three fetches of a fresh resource reach the origin once and give three equal bodies.
        principle.resume-not-resend|OK|wire|000:26|A transfer that broke off goes on at the byte it had reached.
        principle.no-request-when-offline|OK|wire|000:27,442|While the network is unavailable nothing is sent and the caller hears at once.
        principle.user-cancellable|OK|wire|000:28|A cancelled slow transfer ends once, as cancelled, and the origin sees the connection close.
        principle.sensible-timeout|OK|wire|000:28|A request that is never answered fails as timed out when its timeout is over, not before.
        principle.batch-transfers|ADV|wire|000:29|A large resource is one request, not one for each small piece.
        principle.gzip-negotiation|FIX|wire|000:35|Accept-Encoding, not Accept, asks for gzip; the caller sees decoded bytes.
        principle.gzip-and-etag|EXT|wire|000:35; 001:1069|A stored gzip representation answers only requests whose Accept-Encoding matches.

        """

    private static let semantics = """
        http.second-identical-request-is-local|OK|wire|001:1007|A repeated request within the lifetime is answered without the origin.
        http.caching-needs-server-opt-in|FIX|wire|001:1064,1159|Expires alone and a heuristic lifetime allow reuse too; nothing at all does not.
        http.no-headers-default-behaviour|AMB|wire|001:1110|Without explicit lifetime a response is fresh for a tenth of its age since Last-Modified.
        http.cache-control.max-age|OK|wire|000:35; 001:1064,1159|max-age=60 allows reuse at age 59 and not at age 60.
        http.cache-control.max-age-zero|EXT|wire|001:1064,1159|A max-age=0 response is stored and validated at every use.
        http.cache-control.public|OK|wire|001:1064,1159|public leaves the lifetime as it is and allows storing an authorised response.
        http.cache-control.private|OK|wire|001:1064,1159|A private response is stored by a private cache and by no shared one.
        http.cache-control.no-cache|FIX|wire|001:1064,1159|A no-cache response is stored and validated before every use.
        http.cache-control.no-store|EXT|wire|001:1064,1159|A no-store response leaves nothing in memory or on disk and no will-cache event.
        http.cache-control-over-expires|OK|wire|001:1159|max-age wins over Expires; a Cache-Control without lifetime does not.
        http.expires|OK|wire|001:1159|Expires alone gives a lifetime, and an invalid date one that is over.
        http.validator.if-modified-since|OK|wire|001:1057,1066,1068|A stale response with Last-Modified is validated with that date byte for byte.
        http.validator.if-none-match|OK|wire|001:1058,1066,1069|A stale response with ETag is validated with that tag, quotes and weakness kept.
        http.validator.both|EXT|wire|001:1057-1058,1066|Both validators are sent, and the origin lets If-None-Match decide.
        http.validator.scoped-to-url|OK|wire|001:1057-1058|Each URL is validated with its own validators.
        http.last-modified.meaning|OK|wire|001:1068|A changed resource has a later Last-Modified: the old date gets 200, the new one 304.
        http.etag.meaning|OK|wire|001:1069|An entity tag made from the content differs exactly where the content differs.
        http.etag.for-dynamic-content|OK|wire|001:1069|A response with ETag alone is validated without If-Modified-Since.
        http.not-modified-serves-stored-body|OK|wire|001:700-703,1031,1389|A 304 serves the stored content and starts its lifetime anew.
        http.changed-resource-replaces-entry|OK|wire|001:1031,1389|A 200 to a validation replaces what was stored.
        http.freshness-uses-current-time|OK|wire|001:1055|The clock alone turns a hit into a request.
        http.protocol-neutral-policies|ADV|api|001:1049|Request policies and the store's interface name no HTTP type.
        http.headers-carry-metadata|OK|wire|001:1051|A reused response has the header fields it was stored with.
        http.vary|EXT|wire|001:31,589-594|A response with Vary answers only requests whose selecting fields match.
        http.unsafe-method-invalidates|EXT|wire|001:1007; 002:18|A successful POST, PUT or DELETE makes the stored GET of its URL unusable.

        """

    private static let mockServer = """
        mockserver.three-endpoints|OK|wire|000:92|/get, /post and /image answer 200.
        mockserver.get-json|OK|wire|000:44-53|GET /get answers the JSON of the document, byte for byte.
        mockserver.post-json|OK|wire|000:55,65-71|POST /post answers the JSON of the document, byte for byte.
        mockserver.post-form-parsing|OK|wire|000:57-64|A form posted in pieces is recorded as a map, repeated names as a list.
        mockserver.post-replies-before-body-end|BUG|wire|000:58-71|/post answers after it has read the whole request content.
        mockserver.image-jpeg|OK|wire|000:74-89|/image answers the bytes of a JPEG as image/jpeg.
        mockserver.image-missing-file|BUG|wire|000:77-79|A missing image file is answered at once with an error status.
        mockserver.substring-routing|BUG|wire|000:44,55,74|A route matches its path, not any URL that has its text somewhere.
        mockserver.routes-not-exclusive|BUG|wire|000:44-90|One request gets exactly one response.
        mockserver.percent-decoded-routing|OK|wire|000:44,55,74|/%67et is routed as /get, and a bad escape is answered 400.
        mockserver.method-not-checked|BUG|wire|000:44-90|A wrong method is answered 405 with Allow, and HEAD without content.
        mockserver.unknown-path|BUG|wire|000:44-90|An unknown path is answered 404.
        mockserver.no-cache-headers-by-default|OK|wire|000:46-48,65-67,81-83|The endpoints send no caching fields of their own, so each repeat is an unconditional request.
        mockserver.configurable-cache-control|OK|wire|000:35|A configured Cache-Control is sent as it was given.
        mockserver.body-framing|EXT|wire|000:46-52,81-85|Answers are chunked or have a Content-Length, as the script says.
        mockserver.request-log|OK|log|000:45,56,63,78|Every request is recorded with method, URL, fields and content, /image too.
        mockserver.port-8090|AMB|wire|000:112,137,144,155,166|The port is 8090 by default, can be chosen, and is reported.
        mockserver.fetch-mock-data|OK|wire|000:112-115,137-141|/fetchMockData answers JSON with a status and data.
        mockserver.status-text-case|BUG|wire|000:51,70,113,138|/get and /post say Success and /fetchMockData says success, and no client rests on the difference.

        """

    private static let urlCache = """
        urlcache.two-tier|OK|fs|001:9,1003|An entry is found in memory, and on disk once memory is lost.
        urlcache.memory-never-cleaned|FIX|unit|001:9|Memory usage never exceeds its capacity; the oldest entries go.
        urlcache.handles-every-load|OK|wire|001:1003|A client without configuration caches.
        urlcache.saves-requests|OK|wire|001:1005,1363,1393|Repeats within the lifetime reach the origin once.
        urlcache.offline-experience|OK|wire|001:1005,1363|With a warm cache and a stopped origin the return-cache policies succeed.
        urlcache.transparent|OK|wire|001:1007|A load from the cache has the status, fields and content of the one from the origin.
        urlcache.shared-instance|OK|api|001:1009-1018,1117,1126-1135,1270-1279|New requests use the shared cache that is set.
        urlcache.capacity-4-20|OK|unit|001:1014-1016|The default capacities are 4 MiB in memory and 20 MiB on disk.
        urlcache.capacity-2-100|OK|unit|001:1132-1137,1230-1233,1276-1278|A cache of 2 MiB and 100 MiB has exactly these capacities.
        urlcache.capacity-memory-1|OK|unit|001:1442,1463|A lowered memory capacity evicts at once.
        urlcache.default-is-memory-only|FIX|fs|001:1126|The default cache keeps entries over a restart.
        urlcache.disable-with-zero|OK|wire|001:1328-1337|Two capacities of zero switch caching off.
        urlcache.request-and-response-decide|OK|wire|001:1020|Every policy does what its matrix says in every state of the entry.
        urlcache.entry-holds-response-and-data|OK|unit|001:1075,1124|A looked-up entry has status, fields, URL and content.
        urlcache.lookup-api|OK|api|001:837,1242,1471-1481|A lookup sends nothing, and finds expired entries too.
        urlcache.store-api|OK|api|001:1257-1266|An entry put by hand answers requests.
        urlcache.remove-api|OK|api|001:1248|A removed entry is found in neither tier.
        urlcache.key-includes-query|EXT|wire|001:1007,1242|Different queries are different entries.
        urlcache.replay-length|OK|wire|001:1570-1600|A replay has exactly the bytes of the pieces that were received.
        urlcache.replay-single-chunk|OK|api|001:1594-1598|A replay delivers its content in one piece.
        urlcache.events-network|OK|api|001:1502-1548,1566-1584|A load from the origin has its events in the documented order.
        urlcache.events-cached|OK|api|001:1588-1600|A load from the cache has the same events but will-cache.
        urlcache.replay-comes-from-memory|AMB|unit|001:1600|The same events come from either tier, and the source names the tier.
        urlcache.events-failure|OK|api|001:1550-1556|A failed load ends with fail and without finish.
        urlcache.willsend-returns-request|OK|wire|001:1512-1522|will-send comes for each hop of a redirect, with its response, and its request is used.
        urlcache.demo-flow|OK|wire|001:1436-1499,1463|A reload that finds an entry and asks for cache data only sends nothing.
        urlcache.demo-sticky-policy|BUG|wire|001:1479-1483|A reload whose entry is gone goes to the origin again.
        urlcache.partial-resume|FIX|wire|001:988|Nothing of a broken-off response is reused; the next request asks for everything.
        urlcache.no-cache-policy-still-cached|FIX|wire|001:988|Under a reload policy every load reaches the origin.
        urlcache.https-support|FIX|wire|001:1108|Responses over http and https are stored alike.
        urlcache.unrelated-to-nscache|OK|api|001:1106|Clearing an object cache leaves the URL cache as it is, and the reverse.
        urlcache.two-lines-suffice|ADV|api|001:1115,1132-1135|One constructor and one assignment switch caching on.
        urlcache.max-entry-size|EXT|fs|001:1126,1132-1137|A response above its share of the capacity, a twentieth by default, is not stored.

        """

    private static let policies = """
        urlcache.policy.default|OK|wire|001:1026,1040,1143,1369|A request without policy behaves as useProtocolCachePolicy.
        urlcache.policy.protocol.fresh|OK|wire|001:1026,1143,1369|useProtocolCachePolicy uses a fresh entry.
        urlcache.policy.protocol.stale|OK|wire|001:1026,1055-1058,1143|useProtocolCachePolicy validates a stale entry.
        urlcache.policy.protocol.empty|OK|wire|001:1026,1463|useProtocolCachePolicy without an entry sends one unconditional request.
        urlcache.policy.reload-ignoring-local|OK|wire|001:1027,1041,1145|reloadIgnoringLocalCacheData loads unconditionally, and the response replaces the entry.
        urlcache.policy.reload-ignoring-cache-alias|OK|api|001:1373|reloadIgnoringCacheData is another name of reloadIgnoringLocalCacheData.
        urlcache.policy.reload-ignoring-local-and-remote|OK|wire|001:1028,1042,1147,1385|reloadIgnoringLocalAndRemoteCacheData also sends no-cache, in Cache-Control and Pragma.
        urlcache.policy.return-else-load-hit|OK|wire|001:1029,1043,1149|returnCacheDataElseLoad uses an entry of any age, and says that it is stale.
        urlcache.policy.return-else-load-miss|OK|wire|001:1029,1043,1149,1377|returnCacheDataElseLoad loads where there is no entry.
        urlcache.policy.return-cache-dont-load-hit|OK|wire|001:1030,1044,1151|returnCacheDataDontLoad uses an entry of any age.
        urlcache.policy.return-cache-dont-load|OK|wire|001:1030,1044,1151,1381|returnCacheDataDontLoad without an entry fails and sends nothing.
        urlcache.policy.reload-revalidating-valid|OK|wire|001:1031,1045,1153,1389|reloadRevalidatingCacheData asks about a fresh entry too, and uses it after a 304.
        urlcache.policy.reload-revalidating-changed|OK|wire|001:1031,1153,1389|reloadRevalidatingCacheData delivers and stores a changed response.
        urlcache.policy.reload-revalidating-empty|EXT|wire|001:1031|reloadRevalidatingCacheData without an entry sends one unconditional request.
        urlcache.policy.compares-content|FIX|wire|001:1389|Validators are compared, not contents.
        urlcache.policy.two-unimplemented|FIX|wire|001:1035|All six policies work.
        urlcache.policy.per-request|OK|wire|001:1024,1141,1365|Each request follows its own policy.
        urlcache.policy.timeout-with-policy|OK|wire|001:580-586,1450-1454|A timeout holds under every policy that loads.

        """

    private static let willCache = """
        willcache.timing|OK|api|001:1073,1582-1584|will-cache comes after the last data and before finish.
        willcache.proposed-entry|OK|api|001:1075,1077|The proposed entry is the delivered response with its whole content.
        willcache.immutable|OK|api|001:1077,1283|The proposed entry is a value; a change makes a copy.
        willcache.replace-data|OK|wire|001:1079-1092,1305-1317|Changed content is what later loads get, not this one.
        willcache.userinfo|OK|fs|001:1082,1090,1260-1263,1307,1315|User info stays with the entry, over a restart too.
        willcache.memory-only|OK|fs|001:1084,1309|A memory-only entry never reaches the disk.
        willcache.storage-not-allowed|EXT|fs|001:1084,1091|An entry whose storage is not allowed is stored nowhere.
        willcache.nil-prevents-storage|OK|wire|001:1094-1100,1319-1324|A hook that returns nothing prevents storing.
        willcache.absent-hook-default|OK|wire|001:1102|Without a hook the proposed entry is stored.
        willcache.pass-through|OK|wire|001:1534-1542|A hook that returns what it got changes nothing.
        willcache.not-on-hit|OK|api|001:884,907,1600|The hook is not called for loads from the cache.
        willcache.not-for-uncacheable|EXT|api|001:678,884|The hook is not called for responses that may not be stored.

        """

    private static let customCache = """
        customurlcache.purpose|FIX|wire|001:1163-1165|A cache's own expiry shortens lifetimes and never lengthens them.
        customurlcache.interval-600|OK|wire|001:1222|With an expiry of 600 s an entry is used at 599 s and not at 601 s.
        customurlcache.stamp-on-store|OK|fs|001:1221,1257-1266|An entry remembers when it was stored.
        customurlcache.keeps-other-fields|OK|unit|001:1260-1263|The expiry leaves content, user info and storage policy as they are.
        customurlcache.expired-is-removed|OK|wire|001:1241-1251|A lookup of an expired entry finds nothing and removes it.
        customurlcache.boundary|OK|unit|001:1246-1247|At exactly 600 s an entry is still used.
        customurlcache.fresh-is-returned|OK|wire|001:1254|A younger entry is returned unchanged.
        customurlcache.missing-stamp|BUG|unit|001:1245-1251|An entry that another cache stored expires too.
        customurlcache.restamp-on-replace|EXT|wire|001:1261|A replaced entry begins its 600 s anew.
        customurlcache.applies-to-all-policies|EXT|wire|001:1241-1251|The return-cache policies do not see expired entries.
        customurlcache.singleton|OK|unit|001:1226-1237|One shared instance has the capacities it was given.
        customurlcache.install|OK|wire|001:1270-1279|Without the expiry set, entries do not expire by it.
        customurlcache.does-not-compile|BUG|api|001:1219,1229-1234,1252-1255|What the broken listing means to do is done.
        customurlcache.name-in-prose|AMB|api|001:1165,1221-1222|One setting, the expiration interval, has one name.
        """
}
