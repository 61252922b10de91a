/// The statements about the chained fetcher of document 000.
extension DocumentRules {
    static let chainedFetching = """
        afexample.business-status-gate|BUG|wire|000:109-118|A response whose own status says error fails the request once; no caller is left without an answer.
        afexample.failure-forwards-error|OK|wire|000:116-118|A refused connection reaches the completion once, as an error without data.
        afexample.get-parameters|OK|wire|000:109-112|Parameters of a GET go into its query, and it has no content.
        sqfetch.chain.fluent|OK|api|000:135-168,194-198,255,279|Adding a request to a chain returns the same chain, so calls can be chained.
        sqfetch.chain.two-states|OK|wire|000:135,178,187-190,332-336|A chain is serial or concurrent, and the same four calls interleave accordingly.
        sqfetch.chain.serial-order|OK|wire|000:178,236-253,342|In a serial chain requests and callbacks come one after another, in the order of the calls.
        sqfetch.chain.serial-waits-for-callback|OK|wire|000:246-247,318-326|In a serial chain the next request is sent only when the callback before has returned.
        sqfetch.chain.serial-mechanism|ADV|api|000:237-247,249-253,342|Serial order comes from awaiting the request before; no thread is blocked.
        sqfetch.chain.concurrent-overlap|OK|wire|000:178,238-239,246-247|In a concurrent chain a request does not wait for the response before.
        sqfetch.chain.start-order-kept|OK|wire|000:249-253,274-277|In both kinds of chain requests are started in the order of the calls.
        sqfetch.chain.get-post-share-order|OK|wire|000:249-253,274-277|GET and POST are in one order.
        sqfetch.chain.failure-releases-next|OK|wire|000:318-322|In a serial chain a request that fails lets the next one go.
        sqfetch.chain.serial-hang-on-cache-hit|BUG|wire|000:246-247,294-297|A serial chain goes on after a step that was answered from the cache.
        sqfetch.chain.serial-hang-offline|BUG|wire|000:246-247,289-292|Offline, every step of a serial chain fails as not connected, and none hangs.
        sqfetch.chain.max-concurrency-6|OK|wire|000:228-231|At most six exchanges of a chain are under way; one that ends lets the seventh begin.
        sqfetch.chain.managers-independent|OK|wire|000:332-336|A chain does not wait for another chain.
        sqfetch.chain.example|OK|wire|000:135-168|The example's chain runs in order, with its seven query pairs, its seven form pairs, JSON and an image.
        sqfetch.chain.nil-callbacks|BUG|api|000:142,153,164,168,319,323|Without callbacks requests run all the same, and the chain goes on.
        sqfetch.chain.callback-context|OK|api|000:313,643-646|Callbacks come on the executor that was chosen for them.
        sqfetch.request.get-query|OK|wire|000:299-302,370-382|Parameters of a GET are appended to its URL, and nothing is for none.
        sqfetch.request.get-no-encoding|BUG|wire|000:373-376|Names and values in a query are percent-encoded.
        sqfetch.request.get-existing-query|BUG|wire|000:377-378|Parameters are added to a query that the URL has already.
        sqfetch.request.param-order|AMB|wire|000:373,387|Parameters are sorted by name, so equal parameters make equal URLs.
        sqfetch.request.param-value-text|OK|wire|000:374-375,388-389|The integer 5 and the string 5 make the same query.
        sqfetch.request.post-body|OK|wire|000:308-311,384-395|Parameters of a POST are a form with its length and media type, and the URL stays as it is.
        sqfetch.request.session-per-request|BUG|wire|000:305|Requests one after another use one connection.
        sqfetch.request.default-config-uses-urlcache|EXT|wire|000:305|A fresh JSON response is reused by the HTTP cache, though no application cache stores it.
        sqfetch.response.json|OK|wire|000:344-346,400-402,438|Content of the type application/json is parsed.
        sqfetch.response.jpeg|OK|wire|000:346,403-431,438|Content of the type image/jpeg is decoded into an image of its size.
        sqfetch.response.other-types-nil|BUG|wire|000:399,432,323|Content of a type that no serializer takes fails the request.
        sqfetch.response.mime-without-parameters|OK|wire|000:315,400|Parameters of the media type do not matter for the choice of a serializer.
        sqfetch.response.json-error-lost|BUG|wire|000:314-318,397-402|Broken JSON fails the request once, with the place in the content.
        sqfetch.response.transport-error-lost|BUG|wire|000:313-327|A broken connection fails the request.
        sqfetch.response.status-ignored|BUG|wire|000:313-327|A status of 404 or 500 fails the request, which tells the status.
        sqfetch.response.jpeg-force-decode|OK|unit|000:404-430|A decoded JPEG has four bytes a pixel and no alpha, and is not decoded on the main actor.
        sqfetch.response.jpeg-orientation|BUG|unit|000:426|The orientation of a JPEG is kept.
        sqfetch.response.jpeg-corrupt|BUG|wire|000:404,419-424|Bytes that are no JPEG fail the request, and nothing is cached.
        >2
        sqfetch.reachability.gate|OK|wire|000:289-292,442|Where there is no network nothing is sent.
        sqfetch.reachability.silent|BUG|wire|000:290-292|Where there is no network the caller gets one error, not connected.
        sqfetch.reachability.before-cache|BUG|wire|000:289-297|What is cached is served where there is no network.
        sqfetch.reachability.initial-state|BUG|wire|000:289-292,491|Before anybody has looked, requests are tried.
        sqfetch.reachability.two-probes|OK|unit|000:448-449,478-482|The network and a host of the caller's choice are both watched, each started once.
        sqfetch.reachability.last-writer-wins|BUG|unit|000:487-491|What the network and the host report is combined by a rule that does not depend on the order.
        sqfetch.reachability.three-states|OK|unit|000:493-509,290|Wifi and cellular let requests through, no network does not.
        sqfetch.reachability.singleton-at-load|OK|unit|000:454-469|A provider is one object for all who hold it, and is started before the first request.
        sqfetch.reachability.ignores-foreign-notifications|OK|unit|000:488-489|Changes of another provider do not change the status.

        """

    static let fetchedImages = """
        sqfetch.cache.two-level|OK|wire|000:520,565-573|An image is looked for in memory, then on disk.
        sqfetch.cache.hit-skips-network|OK|wire|000:293-297|An image that is cached is delivered without a request.
        >2
        sqfetch.cache.images-only|OK|wire|000:554-555|Images are kept without permission of HTTP, JSON is not.
        >2
        sqfetch.cache.sha1-file-name|OK|fs|000:556,560,566,569,620-629|An image's file is called by the SHA-1 of its URL, 40 digits without extension.
        sqfetch.cache.png-on-disk|OK|fs|000:561|The documented naming keeps a PNG of the decoded image, written whole or not at all.
        sqfetch.cache.key-mismatch|BUG|wire|000:293,299-302,317|An image with parameters is found again under the same parameters.
        >2
        sqfetch.cache.bare-url-poisoning|BUG|wire|000:293-297|An image with parameters is not answered by that of the bare URL.
        >2
        sqfetch.cache.method-not-in-key|BUG|wire|000:293-297,308-311,317|A POST is not answered by the image that a GET has cached.
        >2
        sqfetch.cache.no-expiry|BUG|wire|000:554-573|An image that HTTP forbids to store is asked for again, and so is one of long ago.
        >2
        sqfetch.cache.disk-hit-not-promoted|BUG|wire|000:566-572|An image found on disk is in memory afterwards.
        sqfetch.cache.directory|AMB|fs|000:558-559,568|Reading and writing use the one folder that was configured.
        sqfetch.cache.survives-restart|OK|fs|000:518-520,561,570|Images on disk outlive the process.
        sqfetch.cache.clear-disk|OK|fs|000:609-618|Clearing the disk empties the cache's own folder, and memory can be cleared, too.
        sqfetch.cache.inspect-disk|OK|log|000:557,575-607|The files of the cache can be counted and measured, without the store waiting for it.
        sqfetch.cache.eviction-hook|ADV|fs|000:633|What exceeds the limits of size and age is removed.
        sqfetch.cache.memory-unsynchronised|BUG|conc|000:528-539,556,566|Eight tasks may use the memory level at once, and it keeps to its limit.
        sqfetch.cache.singleton|OK|unit|000:541-552|A cache is one object for all who hold it, and tests inject another.
        sqfetch.imageslot.load|OK|wire|000:641-648,652|A slot loads an image and shows it on the executor that was chosen.
        >2
        sqfetch.imageslot.stale-overwrite|BUG|wire|000:641-648|A slot shows the image that was asked for last, whichever comes last.
        >2
        sqfetch.scope.missing-features|ADV|api|000:656|What the author misses is there: header fields, connections that are reused, checks of TLS.

        """
}
