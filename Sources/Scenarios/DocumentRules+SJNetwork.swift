/// The statements about SJNetwork's requests and YTKNetwork.
extension DocumentRules {
    static let requests = """
        sjnetwork.structure.facade|OK|api|002:44-60,68-71|One session and one configuration give access to everything.
        sjnetwork.structure.single-import|OK|api|002:46,95-98|A program that imports one module can make, cache, list and cancel requests.
        sjnetwork.structure.finish-hook|OK|api|002:47|A monitor is told once that a request has ended, after its callback.
        sjnetwork.structure.utils|OK|unit|002:57,71,130|The application's version goes into default parameters and into what is known of an entry.
        sjnetwork.structure.request-as-object|OK|api|002:13,54,70,812|The pool has a model of every running request, whatever its kind.
        sjnetwork.config.singleton|OK|api|002:71,113|A change of the configuration counts for the next request of everybody who holds the session.
        sjnetwork.config.base-url|OK|wire|002:25,117-121,934,963|The base URL stands before each relative path, whether it ends in a slash or not.
        sjnetwork.config.single-base-url|ADV|api|002:542|Several base URLs can be named, and a request chooses one.
        sjnetwork.config.default-params-body|OK|wire|002:127-134|Default parameters are in the content of every POST.
        sjnetwork.config.default-params-get|OK|wire|002:136|Default parameters of a GET are in its query.
        sjnetwork.config.default-params-visible|OK|log|002:935-940,965-970|The description of a request has the default parameters in it.
        sjnetwork.config.default-params-collision|EXT|wire|002:134|A request's own parameter wins over the default of the same name.
        sjnetwork.config.default-params-property|AMB|api|002:130|The default parameters have one name, spelled right.
        sjnetwork.config.timeout-20|OK|wire|002:148|The profile's timeout is 20 seconds.
        sjnetwork.config.timeout-set|OK|wire|002:142-146|A changed timeout counts for the next request.
        sjnetwork.config.header-add|OK|wire|002:165-169,179,24|Default header fields are sent with every request.
        sjnetwork.config.header-replace|OK|wire|002:181|A default field takes the place of the one of the same name, and the others stay.
        sjnetwork.config.header-alias|OK|api|002:171-175|The session has a call for default fields, which changes the configuration.
        sjnetwork.config.version-in-body|OK|wire|002:23|A version among the default parameters is in every content.
        sjnetwork.request.methods|OK|wire|002:18,191|GET, POST, PUT and DELETE reach the server as such.
        sjnetwork.request.callbacks|OK|api|002:201-208|A failure is told once, with the request, the error and the HTTP status.
        sjnetwork.request.no-cache-by-default|OK|wire|002:191,195-209|Without being asked for, nothing is read from the application cache or written to it.
        sjnetwork.request.parses-json|OK|wire|002:201,267,973-977|Content is delivered as parsed JSON.
        sjnetwork.cache.write-if-positive|OK|fs|002:213-235|A positive duration stores the result.
        sjnetwork.cache.no-write-if-not-positive|OK|fs|002:236|A duration of zero or less stores nothing.
        sjnetwork.cache.load-valid|OK|wire|002:238-240|A valid entry is returned without a request.
        sjnetwork.cache.load-missing|OK|wire|002:241|Without an entry the network is used.
        sjnetwork.cache.expired-entry-is-cleared|OK|fs|002:241,293,959-961|An expired entry is removed before the request is sent, and its result stored anew.
        sjnetwork.cache.load-false-ignores|OK|wire|002:238|A request that does not ask for the cache uses the network in spite of a valid entry.
        sjnetwork.cache.flags-independent|OK|wire|002:215-220,233-241|Reading and writing are switched separately.
        sjnetwork.cache.all-four-methods|OK|wire|002:191,213-216|All four methods read and write the application cache.
        sjnetwork.cache.boundary|EXT|fs|002:240-241,293|An entry is valid up to its duration inclusively, and not before it was stored.
        sjnetwork.cache.duration-from-write|EXT|fs|002:59,233-241|The duration stored with an entry decides, not that of the request that reads it.
        sjnetwork.cache.metadata|OK|fs|002:59|Beside each content a file tells creation, duration, expiry, application version and identifier.
        sjnetwork.cache.version-mismatch|EXT|fs|002:23,59|An entry of another application version is removed and not used.
        sjnetwork.cache.key-parts|OK|wire|002:274,303,314,943|Another base URL, URL, method or parameter is another entry.
        sjnetwork.cache.identifier-format|OK|unit|002:943|The identifier is four MD5 digests joined by underscores: those of the documents' example.
        sjnetwork.cache.defaults-and-headers-not-in-key|EXT|wire|002:934-943,179|Another token, credential or default parameter does not get the entry of the one before.
        sjnetwork.cache.only-success-is-stored|EXT|fs|002:956-986|A failure is not stored.
        sjnetwork.cache.file-suffix|OK|fs|002:984|The file of the content ends in .cacheData.
        sjnetwork.cache.expired-sequence|OK|log|002:954-986|The log of an expired entry has: load failed, start, success, cache written; in this order.

        """

    static let requestManagement = """
        sjnetwork.cachemgmt.singleton|OK|api|002:21,55,257|The session's calls and the cache's own act on the same entries.
        sjnetwork.cachemgmt.read-one|OK|api|002:21,265-267,274-288|One entry is read by URL, method and parameters without a request.
        sjnetwork.cachemgmt.read-one-missing|OK|api|002:291|Reading what is not there gives nothing.
        sjnetwork.cachemgmt.read-one-expired|OK|fs|002:293|Reading an expired entry gives nothing and removes it.
        sjnetwork.cachemgmt.read-one-valid|OK|api|002:295|Reading a valid entry gives what the response gave.
        sjnetwork.cachemgmt.read-by-url|OK|api|002:268,299-310|All entries of a URL are read, whatever method or parameters.
        sjnetwork.cachemgmt.read-by-url-method|OK|api|002:314-322|All entries of a URL and method are read.
        sjnetwork.cachemgmt.read-many-empty|OK|api|002:268|Reading several gives nothing at all where none is valid.
        sjnetwork.cachemgmt.read-many-skips-expired|EXT|fs|002:268,293|Reading several leaves expired entries out and removes them.
        sjnetwork.cachemgmt.clear-one|OK|fs|002:336-351|One entry is removed by URL, method and parameters, and others stay.
        sjnetwork.cachemgmt.clear-by-url|OK|fs|002:356-366|All entries of a URL are removed, and those of others stay.
        sjnetwork.cachemgmt.clear-by-url-method|OK|fs|002:370-380|All entries of a URL and method are removed, and those of other methods stay.
        sjnetwork.cachemgmt.clear-nothing|EXT|api|002:346-350|Clearing what is not there says so.
        sjnetwork.cachemgmt.no-prefix-leak|EXT|fs|002:303,356|A URL does not stand for those that begin like it.
        sjnetwork.cachemgmt.size-tuple|OK|fs|002:388-405|The size is told as files, bytes and text.
        sjnetwork.cachemgmt.size-unit-boundary|OK|unit|002:407|Below 1024 × 1024 bytes the size is in KB, from there in MB.
        sjnetwork.cachemgmt.size-format|OK|unit|002:407|1298609 bytes are "1.2385 MB".
        sjnetwork.cachemgmt.size-includes-partials|OK|fs|002:409|Unfinished downloads count in the size.
        sjnetwork.cachemgmt.size-counts-files|EXT|fs|002:59-60,403,407|One entry is two files.
        sjnetwork.pool.add-before-start|OK|api|002:812-814|A request is in the pool before it is sent.
        sjnetwork.pool.remove-after-end|OK|api|002:815|A request leaves the pool when it has succeeded, failed or been cancelled.
        sjnetwork.pool.all-types|OK|api|002:812|Ordinary requests, uploads and downloads are in the pool.
        sjnetwork.pool.remaining|OK|api|002:828-835|The pool tells whether any request is running.
        sjnetwork.pool.count|OK|api|002:839-846|The pool tells how many requests are running.
        sjnetwork.pool.log-all|OK|log|002:850-854|The pool describes every running request.
        sjnetwork.pool.cancel-exact|OK|wire|002:870-877|Requests are cancelled by URL, method and parameters, and others go on.
        sjnetwork.pool.cancel-by-url|OK|wire|002:881-887|All requests of a URL are cancelled, and others go on.
        sjnetwork.pool.cancel-by-urls|AMB|wire|002:891-895|The requests of several URLs are cancelled, and others go on.
        sjnetwork.pool.cancel-all|OK|wire|002:899-903|Everything is cancelled, and each caller gets one error.
        sjnetwork.pool.query-and-cancel-only|OK|api|002:22,817-820,866|The pool's interface asks and cancels, and cannot add or remove.
        sjnetwork.log.default-off|OK|log|002:152-160|Nothing is logged by default.
        sjnetwork.log.on|OK|log|002:158,913-917|In debug mode start, URL, method and parameters are logged.
        sjnetwork.log.reasons|OK|log|002:26,959-960|An expired, a missing and another version's entry are logged as different reasons.
        sjnetwork.log.model-description|OK|log|002:925-946|The description of an ordinary request has eight labelled fields, the duration in seconds and YES or NO.
        sjnetwork.log.request-lines|OK|log|002:962-977|A request logs start, URL, method, parameters, then success with URL and object, in order.
        sjnetwork.log.cache-write|OK|log|002:978-985|Writing to the cache logs success, object, path and duration in seconds.
        ytknetwork.on-af|ADV|api|004:136-137|Calls as types use nothing but the session's public interface.
        ytknetwork.class-per-api|OK|api|004:138|A call is a type with its path, method and parameters, and the server sees exactly these.
        ytknetwork.requests-as-objects|OK|api|002:13,1007|A request can be started, stopped and inspected.
        ytknetwork.chain|OK|wire|004:139|A request made of another's result is sent after its success, and a failure ends the sequence.
        ytknetwork.batch|OK|wire|004:139|Parallel requests succeed together; the first failure fails the batch and cancels the rest.
        ytknetwork.request-interceptor|OK|wire|004:140|An interceptor signs every request over its final parameters.
        ytknetwork.response-interceptor|OK|wire|004:140|An interceptor sends a request again after a 503, and the caller sees one success.

        """
}
