extension DocumentRules {
    /// SDWebImage's views and manager.
    static let imageLoads = slot + manager

    private static let slot = """
        sdwebimage.slot.single-funnel|OK|api|003:5; 001:191-220|Every short form does what the full form does with the defaults.
        >2
        sdwebimage.slot.cancel-previous|OK|wire|003:7,55; 001:223; 004:154-156|A load first cancels the slot's current one, whose completion is never called.
        >2
        sdwebimage.slot.one-operation|OK|wire|003:55|However fast the loads follow, a slot has at most one exchange.
        >2
        sdwebimage.slot.keyed-operations|OK|api|003:44,55,60; 001:252|Operations are kept by key, alone or as a list, and cancelled by key.
        >2
        sdwebimage.slot.any-view|OK|api|003:55|Anything can own a table of operations, not only an image's slot.
        >2
        sdwebimage.slot.owns-operation|OK|unit|003:60|A slot that is let go cancels its operations.
        >2
        sdwebimage.slot.binds-url|OK|api|003:8,56; 001:224|The slot knows the URL it was asked for last, at once.
        >2
        sdwebimage.slot.placeholder-now|OK|api|003:9-13,57; 001:226-230|The placeholder is shown at once, and none blanks the slot.
        >2
        sdwebimage.slot.delay-placeholder|OK|api|003:9,34-37; 001:226,242-245|A delayed placeholder is shown only after a load without image.
        >2
        sdwebimage.slot.nil-url|OK|api|003:45-52,61; 001:253-260|A load without URL completes with its own error, and nothing is sent.
        >2
        sdwebimage.slot.busy-indicator|OK|api|003:15-18,21,47,58|A slot is busy from the beginning of a load to its end, and no older load ends that.
        >2
        sdwebimage.slot.weak-view|OK|api|003:19,22,24; 001:233,235,237|A load does not keep its slot, and completes nothing when it is gone.
        >2
        sdwebimage.slot.main-executor|OK|api|003:23; 001:236|The image is shown, and the completion called, on the delivery queue.
        >2
        sdwebimage.slot.sets-image|OK|api|003:30-33,59; 001:238-241|An image is shown, and a new layout asked for.
        >2
        sdwebimage.slot.avoid-auto-set|OK|api|003:25-29|With avoid-auto-set and a completion only the completion gets the image.
        >2
        sdwebimage.slot.completion-only-when-finished|OK|api|003:39-41; 001:247-249|Partial images change the slot; only the final result is a completion.
        >2
        sdwebimage.slot.completion-arguments|OK|api|003:27,40,50; 001:248,257|A completion has image, error, source and URL.
        >2
        sdwebimage.slot.url-not-rechecked|BUG|wire|003:8,20-42; 004:155-156|A late completion of an older load is not shown.
        >2
        sdwebimage.slot.cell-reuse|OK|wire|004:154-156|Slots that are used again and again never show an image that was not theirs.
        >2
        sdwebimage.slot.low-priority-while-scrolling|ADV|wire|004:157|Low priority begins last, and a held queue begins nothing.
        >2
        sdwebimage.slot.own-cache-path|ADV|fs|004:158|Caches in folders of their own do not see each other's files.

        """

    private static let manager = """
        sdwebimage.manager.parts|OK|api|003:62-63|Store, downloader and delegate can each be given.
        >2
        sdwebimage.manager.flow|OK|wire|004:141-148; 003:230-234|A load asks memory, disk and network in this order, decodes, and stores.
        >2
        sdwebimage.manager.completion-required|OK|api|003:68-69; 001:270-271|A load without anybody to tell cannot be written.
        >2
        sdwebimage.manager.accepts-string|OK|api|003:70-74; 001:273-277|A URL is given as text.
        >2
        sdwebimage.manager.bad-type-is-nil|OK|api|003:75-78; 001:279-282|What is no URL fails as one that is missing, and nothing breaks.
        >2
        sdwebimage.manager.empty-url|OK|api|003:85-91; 001:292-298|An empty URL fails as a file that does not exist, and nothing is sent.
        >2
        sdwebimage.manager.blacklist|OK|wire|004:152-153; 003:81-91,145-149; 001:287-298,351-357|A URL that failed fails again without a request.
        >2
        sdwebimage.manager.blacklist-excluded-new|OK|wire|003:139-149|Seven errors of the way there do not make a URL one that failed.
        >2
        sdwebimage.manager.blacklist-excluded-old|AMB|wire|001:351-357,520-527|A host that could not be reached is asked again.
        >2
        sdwebimage.manager.blacklist-http-errors|OK|wire|001:697-712; 003:139-149|404 and 410 make a URL one that failed; a server's own trouble does so only as documented.
        >2
        sdwebimage.manager.blacklist-undecodable|OK|wire|001:854-856; 004:153|Content that is no image makes its URL one that failed.
        >2
        sdwebimage.manager.blacklist-before-cache|EXT|wire|003:81-96; 001:287-305|A cached image is served although its URL failed since, unless the documented order is asked for.
        >2
        sdwebimage.manager.retry-failed-bypasses|OK|wire|003:85; 001:292|With retry-failed a URL that failed is asked again.
        >2
        sdwebimage.manager.retry-success-clears|OK|wire|003:152-156|A success clears the URL of its failure.
        >2
        sdwebimage.manager.blacklist-lifetime|OK|unit|004:153|A new loader knows no failures, and they can be cleared by hand.
        >2
        sdwebimage.manager.cache-first|OK|wire|003:95-96,232; 001:303-305,434-436|What is cached under the URL's key is not requested.
        >2
        sdwebimage.manager.cancel-before-cache-answer|OK|wire|003:97-102; 001:306-312|A load that is cancelled before the cache answers does nothing more.
        >2
        sdwebimage.manager.running-list|OK|unit|003:92-94,99,186-192,196-200,211-213,223-225; 001:300-302,394-398,403-405|A load is listed as running until it has ended, in whatever way.
        >2
        sdwebimage.manager.download-condition|OK|wire|003:103,111; 001:314,323,480-483|There is a download if the image is not cached or is to be refreshed, and nobody vetoes.
        >2
        sdwebimage.manager.delegate-veto|OK|wire|003:215-226; 001:418-428|A vetoed download completes without image and without error.
        >2
        sdwebimage.manager.veto-with-cache|OK|wire|003:103,204-214|A vetoed refresh delivers the cached image once.
        >2
        sdwebimage.manager.cached-hit|OK|wire|003:204-214; 001:408-417|A hit completes with the image and where it was.
        >2
        sdwebimage.manager.refresh-two-callbacks|OK|wire|003:104-110,176-183; 001:315-321|A refresh delivers the cached image and then the changed one.
        >2
        sdwebimage.manager.refresh-uses-urlcache|OK|wire|003:107,115; 001:317-318,327|A refresh validates what the HTTP cache holds.
        >2
        sdwebimage.manager.refresh-unchanged-silent|OK|wire|003:158-160; 001:362-364,842-844|A refresh that brings nothing new delivers nothing more.
        >2
        sdwebimage.manager.refresh-flags|OK|unit|003:120-125; 001:332-337|A refresh of a cached image is not progressive and ignores the HTTP cache's answer.
        >2
        sdwebimage.manager.option-mapping|OK|unit|003:112-119; 001:324-331|Each option of a load has its counterpart in the download.
        >2
        sdwebimage.manager.cancelled-download-silent|OK|wire|003:127-132; 001:339-343|What a cancelled load has brought is dropped.
        >2
        sdwebimage.manager.error-delivery|OK|wire|003:133-138; 001:344-349|An error completes without image, with source none.
        >2
        sdwebimage.manager.memory-only-option|OK|fs|003:157; 001:360|With memory-only nothing is written.
        >2
        sdwebimage.manager.transform|OK|wire|003:161-173; 001:365-379|What a transformation makes is what is stored and delivered, under the same key.
        >2
        sdwebimage.manager.transform-animated|OK|unit|003:161; 001:365|An animation is transformed only where that is asked for.
        >2
        sdwebimage.manager.transform-nil|OK|unit|003:164,168-170; 001:369,374-376|A transformation without result stores nothing and completes without image and error.
        >2
        sdwebimage.manager.transform-raw-data|OK|fs|003:165-166|The origin's bytes are kept for an unchanged image, and a changed one is encoded anew.
        >2
        sdwebimage.manager.store-when-finished|OK|fs|003:176-178; 001:382-384,919-927|Only whole images are stored.
        >2
        sdwebimage.manager.download-cache-type|OK|wire|003:181; 001:388|An image from the network has source none.
        >2
        sdwebimage.manager.cancel|OK|wire|003:194-202; 001:400-406|Cancelling ends the transfer, and the load is no longer listed.
        >2
        sdwebimage.manager.combined-operation|OK|api|003:79-80,230-233|One cancel works while the cache is asked and while the image is loaded.
        >2
        sdwebimage.manager.main-callbacks|OK|api|003:86,105,134,168,179,205,217|Completions of every kind are called on the delivery queue.
        >2

        """
}
