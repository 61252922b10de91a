extension DocumentRules {
    /// Memory caches and the image classes of AFNetworking.
    static let images = objectCache + afImages + afDownloader + purgingCache

    private static let objectCache = """
        nscache.memory-only|OK|unit|001:12,985|A new object cache is empty; nothing of an older one is left.
        nscache.dictionary-like|OK|unit|001:12|A thousand keys are set, read, replaced and removed as in a dictionary.
        nscache.auto-evicts|OK|unit|001:12|An object cache gives entries up beyond its limit and at a signal that memory is short.
        nscache.evicts-what-ui-does-not-use|FIX|unit|001:12|An image that a slot shows may be evicted; the slot keeps it.
        >2
        nscache.cost-is-pixels|OK|unit|001:464,934|An image costs width × height × scale², in points.
        nscache.used-by-both-libraries|OK|unit|001:12,96-99,465,934,978|Every image client takes any memory cache of the one protocol.

        """

    private static let afImages = """
        af2.image.accept-header|OK|wire|001:27-34|The short form asks for image/*; a request of the caller's own is sent as it is.
        >2
        af2.image.convenience|OK|api|001:23-34|The short forms are the full form without placeholder and callbacks.
        >2
        af2.image.cancel-previous|OK|wire|001:41|A new load of a slot first cancels the one that runs.
        >2
        af2.image.memory-hit-no-network|OK|wire|001:43-52|A hit in memory is shown before the call returns, and nothing is sent.
        >2
        af2.image.memory-hit-callback|OK|api|001:45-46|On a hit success hears no request, no response, and the image.
        >2
        af2.image.success-replaces-assignment|OK|api|001:45-49,63-67|With a success callback the slot shows nothing by itself, hit or not.
        >2
        af2.image.hit-clears-operation|OK|api|001:51|After a hit the slot has no running operation.
        >2
        af2.image.placeholder-on-miss|OK|api|001:53-55|On a miss a given placeholder is shown; without one the old image stays.
        >2
        af2.image.success-identity-check|OK|wire|001:60-72,152-164|A result reaches the slot only if its load is the slot's current one.
        >2
        af2.image.nil-object-not-assigned|OK|api|001:65-67|A success without an image leaves the shown image as it is.
        >2
        af2.image.operation-cleared-if-own|OK|api|001:69-71,82-84|An end clears the slot's operation only if it is its own.
        >2
        af2.image.caches-even-if-stale|OK|wire|001:74,166|An image that arrives after the slot has moved on is cached all the same.
        >2
        af2.image.lost-if-slot-gone|BUG|unit|001:61,74|An image whose slot is gone is cached all the same.
        >2
        af2.image.failure-identity-check|OK|wire|001:75-85,167-178|A failure is told only while its load is current, and the shown image stays.
        >2
        af2.image.same-url-twice|EXT|wire|001:41,62,77|A load that the same URL superseded stays silent.
        >2
        af2.image.response-serializer|OK|wire|001:58-59,101-106|An answer that is no image by its content type fails and is not cached.
        >2
        af2.image.shared-queue|OK|wire|001:86-90|All slots share one queue: held back, it holds every request.
        >2
        af2.image.memory-cache-is-nscache|OK|unit|001:92-99,180-184|Pressure empties the memory cache; reload policies do not look into it.
        af2.image.no-disk|OK|fs|001:12,985|Without a disk level nothing survives a restart, and no file is written.
        >2
        af2.image.no-urlcache|FIX|wire|001:9,150,985|Default requests go through the HTTP cache below the image cache.
        >2
        af2.operation.requires-request|OK|api|001:126-127|No operation can be made without a request.
        >2
        af2.operation.defaults|OK|api|001:134-147|A new operation is ready, and would use credentials and the usual trust.
        >2
        af2.operation.transport|ADV|api|001:108-122|The transport of an image operation is libcurl's.
        >2

        """

    private static let afDownloader = """
        afnetworking.image-downloader.replaceable|OK|api|004:56|A slot uses the loader it is given.
        >2
        afnetworking.image-downloader.layering|ADV|api|004:57|A slot moves no bytes itself.
        >2
        afnetworking.image-downloader.receipt|OK|wire|004:58|A receipt cancels its own load, and the transfer if nobody else waits.
        >2
        afnetworking.image-downloader.dedupe|OK|wire|004:60,63|Loads of one URL at the same time are one request.
        >2
        afnetworking.image-downloader.cache-check|OK|wire|004:61|The cache is asked before anything is sent, and a hit is told without response.
        >2
        afnetworking.image-downloader.session-manager|OK|api|004:62|Fields and timeout of the downloader hold for its requests.
        >2
        afnetworking.image-downloader.handlers-on-merged-task|OK|api|004:63|A load that joins is among those that the transfer answers.
        >2
        afnetworking.image-downloader.fan-out|OK|wire|004:64|Every load of a transfer hears its end, well or ill.
        >2
        afnetworking.image-downloader.max-4|OK|wire|004:65-66|Four transfers run at the same time.
        >2
        afnetworking.image-downloader.queue-overflow|OK|wire|004:67|A fifth transfer begins when one of the four has ended.
        >2
        afnetworking.image-downloader.cancel-one-of-many|EXT|wire|004:58,63-64|One of several loads can be cancelled; the transfer ends with the last.
        >2

        """

    private static let purgingCache = """
        afnetworking.image-cache.entry|OK|unit|004:69-70|An entry has image, identifier, bytes, and the moment of its last access.
        afnetworking.image-cache.access-touches|OK|unit|004:71|A read makes now the moment of last access.
        afnetworking.image-cache.protocols|OK|api|004:72-75|Identifiers and requests reach the same entries.
        afnetworking.image-cache.properties|OK|unit|004:76-77|Capacity, preferred usage and usage can be read, and usage is the sum of the entries.
        afnetworking.image-cache.capacity-100-60|OK|unit|004:78|The defaults are 104,857,600 bytes, and 62,914,560 after a purge.
        afnetworking.image-cache.replace-adjusts-usage|OK|unit|004:81-82|A replaced image no longer counts.
        afnetworking.image-cache.auto-purge-on-add|OK|unit|004:83|The add that exceeds the capacity purges; a read never does.
        afnetworking.image-cache.purge-trigger|EXT|unit|004:83-85|Usage equal to the capacity purges nothing, one byte more does.
        afnetworking.image-cache.purge-amount|AMB|unit|004:85|A purge removes current usage less preferred usage.
        afnetworking.image-cache.purge-lru|OK|unit|004:86-87|What was used longest ago is purged first.
        afnetworking.image-cache.purge-accounting|OK|unit|004:88|After a purge usage is the sum of what is left, and no more went than needed.
        afnetworking.image-cache.write-barrier|OK|conc|004:80,84,98,107-112|Adds and purges exclude everybody else.
        afnetworking.image-cache.read-concurrent|OK|conc|004:99-106,113|Two readers can be inside at the same time.
        afnetworking.image-cache.read-after-add|EXT|conc|004:102-112|A read right after an add finds the image.
        afnetworking.image-cache.key|OK|unit|004:103,110|The key of a request is its absolute URL, whatever its fields.
        afnetworking.image-cache.sample-does-not-touch|BUG|unit|004:100-106|A read by request counts as an access too.

        """
}
