extension DocumentRules {
    /// SDWebImage's downloader, its operation and its cache.
    static let imageDownloads = downloader + operation + imageCache

    private static let downloader = """
        sdwebimage.downloader.concurrency-6|OK|wire|003:235,304,315; 001:634|Six transfers run at the same time.
        >2
        sdwebimage.downloader.one-session|OK|wire|003:235,316-317|Downloads one after another use one connection.
        >2
        sdwebimage.downloader.timeout-15|OK|wire|003:240-243; 001:580-583|A download that is never answered fails after 15 s, or the time it was given.
        >2
        sdwebimage.downloader.cache-policy|OK|wire|003:244-245; 001:585-586|By default the HTTP cache is neither read nor written; with the option it is used.
        >2
        sdwebimage.downloader.default-uses-urlcache|FIX|wire|001:645-647,917,988|By default each download is a request of its own.
        >2
        sdwebimage.downloader.cookies|OK|wire|003:246; 001:587|Cookies are kept and sent back only where that is asked for.
        >2
        sdwebimage.downloader.pipelining|ADV|wire|003:247; 001:588|Requests to one host share its connections.
        >2
        sdwebimage.downloader.headers|OK|wire|003:248-253; 001:589-594|Default fields go with every request, as a filter changes them for that request.
        >2
        sdwebimage.downloader.dedupe|OK|wire|003:239,310-313; 004:149-151; 001:579|Downloads of one URL at the same time are one request with several listeners.
        >2
        sdwebimage.downloader.dedupe-first-options-win|EXT|wire|003:239-255|Downloads that differ in what is sent or cached are not joined.
        >2
        sdwebimage.downloader.dedupe-second-handle|BUG|wire|003:237,239,311; 001:576,579,642|Each listener has a handle of its own that cancels it alone.
        >2
        sdwebimage.downloader.cancel-drops-all|BUG|wire|003:286-291; 001:618-622|A listener that leaves takes nobody with it; the last one ends the transfer.
        >2
        sdwebimage.downloader.after-finish-new-download|OK|wire|003:276-279; 001:610-612|A download after the end of another is a new request.
        >2
        sdwebimage.downloader.reentrant|EXT|wire|003:275-284|A completion may ask for the same URL again.
        >2
        sdwebimage.downloader.partial-keeps-list|OK|wire|003:277-279; 001:610-612|A listener that joins after a partial image gets the final one.
        >2
        sdwebimage.downloader.progress-fan-out|OK|api|003:257-270; 001:597-605|Every listener hears of the progress, which never goes back.
        >2
        sdwebimage.downloader.completion-fan-out|OK|wire|003:271-285; 001:606-617|Every listener hears the end.
        >2
        sdwebimage.downloader.credentials|OK|wire|003:294-298; 001:624-626|A credential wins over user and password, of which neither is used alone.
        >2
        sdwebimage.downloader.priority|OK|wire|003:299-303; 001:628-632|High priority begins first and low last; high wins over low.
        >2
        sdwebimage.downloader.order|OK|wire|003:305-309; 001:635-639|Downloads begin in the order of their asking, or the latest first.
        >2
        sdwebimage.downloader.decompress-flag|OK|unit|003:293|Decoding at once can be switched off.
        >2
        sdwebimage.downloader.route-by-task-id|OK|conc|003:316|Parallel downloads do not mix their content up.
        >2
        sdwebimage.downloader.list-synchronised|OK|conc|003:261-263,275-280,289-291|Joining and leaving from many tasks at once loses and doubles nothing.
        >2

        """

    private static let operation = """
        sdwebimage.operation.self-contained|OK|api|003:314-315,317; 001:570,650-660,663-681|A download runs by itself on the client it is given.
        >2
        sdwebimage.operation.status-accepted|OK|wire|001:687-696|A whole image with a 2xx status is taken; a part that was not asked for is not.
        >2
        sdwebimage.operation.status-error|OK|wire|001:697-715|An error status ends the transfer at once with that status as code.
        >2
        sdwebimage.operation.status-304|BUG|wire|001:700-706|A 304 to the caller's own condition brings the cached image, and no failure.
        >2
        sdwebimage.operation.expected-size|OK|wire|001:689-693|The first progress is 0 of the announced length, or of 0 without one.
        >2
        sdwebimage.operation.progress|OK|wire|001:720,794-796|Progress is bytes so far and bytes expected.
        >2
        sdwebimage.operation.accumulates|OK|wire|001:695,720,858|The content is whole and in order, however it came.
        >2
        sdwebimage.operation.progressive-conditions|OK|wire|001:722|Partial images come only with the option and an announced length.
        >2
        sdwebimage.operation.progressive-all-bytes|OK|unit|001:726-730|Each partial decoding has all bytes so far.
        >2
        sdwebimage.operation.progressive-size-once|OK|unit|001:732-751|Nothing is decoded before the header is there, which is read once.
        >2
        sdwebimage.operation.progressive-canvas|OK|unit|001:757-774|A partial image has the full size.
        >2
        sdwebimage.operation.progressive-unfinished|OK|wire|001:777-788|A partial image has no data and no error, and is not final.
        >2
        sdwebimage.operation.progressive-not-for-last|OK|wire|001:753|The last bytes bring the final image only.
        >2
        sdwebimage.operation.orientation-map|OK|unit|001:799-820|Exif values 1 to 8 are the eight orientations, and any other is up.
        sdwebimage.operation.scale-from-key|OK|unit|001:779-780,822-824,846-848|A key that ends in @2x or @3x before its extension gives that scale.
        sdwebimage.operation.final-decode|OK|unit|001:846-853|The final image is decoded at once unless it is an animation.
        >2
        sdwebimage.operation.zero-pixels|OK|wire|001:854-856|Content without a pixel is an error of its own.
        >2
        sdwebimage.operation.success|OK|wire|001:857-859|A success has the image and the origin's bytes.
        >2
        sdwebimage.operation.failure|OK|wire|001:866-881|A broken transfer is one failure.
        >2
        sdwebimage.operation.stop-notification|OK|api|001:707-709,832-834,871-873|The end of a download is told once.
        >2
        sdwebimage.operation.from-cache-detection|OK|wire|001:678,837-839,884,896-902|A download knows whether the HTTP cache answered.
        >2
        sdwebimage.operation.from-cache-misdetected|BUG|wire|001:837-844,884|A new image that may not be stored is delivered, although an older one is.
        >2
        sdwebimage.operation.ignore-cached|OK|wire|001:842-844|An ignored answer of the HTTP cache ends without image and without error.
        >2
        sdwebimage.operation.willcache-nil|OK|fs|001:883-888,906-911|A default download leaves nothing in the HTTP cache.
        >2
        sdwebimage.operation.willcache-pass|OK|fs|001:889-891,912-914|A download that uses the HTTP cache is stored there.
        >2

        """

    private static let imageCache = """
        sdwebimage.cache.levels|OK|fs|001:9,12,978,988; 004:148|Memory lies over plain files; the HTTP cache is not touched.
        sdwebimage.cache.query-no-block|OK|api|001:439-441|A query without anybody to tell does nothing.
        sdwebimage.cache.query-no-key|OK|api|001:443-446|A query without key finds nothing, at once.
        sdwebimage.cache.query-memory-first|OK|api|001:448-453,477; 003:232|A hit in memory is answered at once, without a query object.
        sdwebimage.cache.query-disk-async|OK|api|001:455-474,477; 003:232|The disk is read on its queue and answers on the delivery queue.
        sdwebimage.cache.query-cancel|OK|api|001:457-459|A query that is cancelled before the disk is read never answers.
        sdwebimage.cache.disk-hit-promoted|OK|fs|001:462-466|An image from disk is then in memory.
        sdwebimage.cache.miss-type|BUG|api|001:462-469|A miss has no image and no source.
        sdwebimage.cache.cost|OK|unit|001:464,934|The cost in memory is the number of pixels.
        sdwebimage.cache.store-guards|OK|api|001:930-932|Without image or key nothing is stored.
        sdwebimage.cache.store-order|OK|fs|001:934-937,978|Memory has the image at once, the disk when its queue comes to it.
        sdwebimage.cache.store-raw-bytes|OK|fs|001:938-940,967-973|Given bytes are written as they are.
        sdwebimage.cache.store-claim-uiimage|FIX|fs|001:978|The file is the origin's bytes, not an object.
        sdwebimage.cache.store-reencode-format|OK|fs|001:940-961|An image is encoded as PNG without bytes or with a PNG's, else as JPEG.
        sdwebimage.cache.png-signature|OK|unit|001:942-954|Only the eight bytes are a PNG's signature; fewer than eight bytes count as PNG.
        sdwebimage.cache.jpeg-quality|OK|unit|001:960|JPEG is encoded with quality 1.
        sdwebimage.cache.creates-folder|OK|fs|001:968-970|A missing folder is made, those above it too.
        sdwebimage.cache.overwrites|OK|fs|001:972|A stored key replaces its file.
        sdwebimage.cache.key-is-url|OK|unit|003:95,320; 001:303|The URL is the key, query included, and a filter may map it.
        sdwebimage.cache.file-name|OK|fs|003:319-333|The name is the MD5 of the key with the extension of the URL's path.
        sdwebimage.cache.file-name-extension-trap|BUG|fs|003:330|Query and host are no extension, except where the documented rule is chosen.
        sdwebimage.cache.file-name-null|OK|unit|003:322-325|The empty key has a name.
        sdwebimage.cache.md5-unique|FIX|unit|003:320,333|A file of the same name with another key is a miss.
        sdwebimage.cache.size|OK|fs|003:333-356|Size is the number of files and the sum of their lengths.
        sdwebimage.cache.size-skips-hidden|OK|fs|003:341|Hidden files are not counted.
        sdwebimage.cache.clean.expired-first|OK|fs|003:366,369-393,423|Cleaning first removes what is too old.
        sdwebimage.cache.clean.age-boundary|OK|fs|003:366,381-385|A file exactly as old as the limit is removed.
        sdwebimage.cache.clean-halves|OK|fs|003:394-415,423|Beyond the limit files are removed until less than half of it is left.
        sdwebimage.cache.clean.oldest-first|OK|fs|003:395,399-406|The first written files are removed first.
        sdwebimage.cache.clean.trigger-is-strict|OK|fs|003:396|A total equal to the limit removes nothing, nor does a limit of 0.
        sdwebimage.cache.clean.target-is-strict|OK|fs|003:398,410-412|Half of the limit is still too much.
        sdwebimage.cache.clean.total-excludes-expired|OK|fs|003:383-389|What is too old does not count when the total is compared with the limit.
        sdwebimage.cache.clean.allocated-size|OK|fs|003:360,387-388,408-409|Cleaning counts what files take on disk, not their length.
        sdwebimage.cache.clean.failed-delete-ignored|OK|fs|003:406-410|A file that cannot be removed still counts, and the next is tried.
        sdwebimage.cache.clean.skips|OK|fs|003:364,376-379|Folders and hidden files stay.
        sdwebimage.cache.clean.async|OK|api|003:358,416-420|Cleaning runs on the disk's queue and ends once.
        sdwebimage.cache.clean.automatic|ADV|fs|003:423|Background, shutdown and memory pressure are occasions to clean.
        sdwebimage.cache.config|OK|api|003:318|Levels, limits, age and decoding can be set.
        sdwebimage.cache.survives-restart|OK|fs|001:985-991|Images on disk outlive the program.
        sdwebimage.cache.reencode-other-platform|EXT|fs|001:940-964|A PNG with transparency stays a PNG when it is encoded anew.
        sdwebimage.helpers|ADV|api|003:424|Formats are told apart by their first bytes.
        sdwebimage.vs-af.saves-traffic|ADV|wire|001:988-991|After a restart a disk level saves the requests that memory alone repeats.
        >2

        """
}
