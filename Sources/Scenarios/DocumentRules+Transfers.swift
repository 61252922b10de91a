extension DocumentRules {
    /// SJNetwork's uploads, downloads and their control.
    static let transfers = upload + download + control

    private static let upload = """
        sjnetwork.upload.single|OK|wire|002:19,417,421-447|One image is one part, its bytes unchanged.
        >2
        sjnetwork.upload.multiple|OK|wire|002:19,417,453-477|Several images are several parts of one request.
        >2
        sjnetwork.upload.default-ratio|OK|wire|002:417|Without a ratio nothing is compressed.
        >2
        sjnetwork.upload.ratio|OK|wire|002:455-461|A ratio below 1 is the quality at which a JPEG is encoded anew.
        >2
        sjnetwork.upload.mime-types|OK|wire|002:478|The media type is image/png or image/jpeg, in whatever case and form it was given.
        >2
        sjnetwork.upload.png-ignores-ratio|OK|wire|002:478|A PNG is sent unchanged whatever the ratio.
        >2
        sjnetwork.upload.field-name|OK|wire|002:431,462,491|The parts are named after the field, numbered from 0.
        >2
        sjnetwork.upload.progress|OK|api|002:433-436|Progress rises to 1.
        >2
        sjnetwork.upload.failure-lists-images|OK|api|002:442-444,473-475|A failure names the status and the images that failed.
        >2
        sjnetwork.upload.ignore-base-url|OK|wire|002:481-507|A complete URL is used without the base.
        >2
        sjnetwork.upload.base-url-switch|OK|wire|002:511-540|A base for one request changes no other.
        >2

        """

    private static let download = """
        sjnetwork.download.defaults|OK|wire|002:574,582-600|A download is resumable and not detached unless it says otherwise.
        >2
        sjnetwork.download.four-combinations|OK|wire|002:20,554,563-569,608-679|Resumable or not, detached or not: all four work.
        >2
        sjnetwork.download.destination|OK|fs|002:585-586|The file is where it was wanted, whole, and no part is left beside it.
        >2
        sjnetwork.download.progress|OK|api|002:587-591|Progress has received, expected and fraction, and goes on from what was kept.
        >2
        sjnetwork.download.resumable-keeps-partial|OK|fs|002:560,595,604|A resumable download that fails keeps what has come, and says where.
        >2
        sjnetwork.download.resumable-continues|OK|wire|002:560|A download that is started again asks for the rest only.
        >2
        sjnetwork.download.not-resumable|OK|wire|002:561|A download that is not resumable begins anew.
        >2
        sjnetwork.download.changed-resource|EXT|wire|002:560|A part of a resource that has changed is not used.
        >2
        sjnetwork.download.range-ignored|EXT|wire|002:560|A whole answer replaces the part.
        >2
        sjnetwork.download.range-unsatisfiable|EXT|wire|002:560|A part as long as the whole is the whole, where the server says so.
        >2
        sjnetwork.download.background-task|OK|wire|002:558|A detached download goes on without its caller and in the background.
        >2
        sjnetwork.download.foreground-task|OK|wire|002:559|Another one stops in the background and goes on by itself afterwards.
        >2
        sjnetwork.download.streams-to-disk|OK|fs|002:559|Content goes to disk piece by piece.
        >2
        sjnetwork.download.partial-metadata|OK|fs|002:60|Of a part the received and expected bytes and their ratio are known.
        >2
        sjnetwork.download.background-caution|ADV|api|002:574|Nothing forbids a detached download on this platform.
        >2
        sjnetwork.download.ignore-base-url|OK|wire|002:683-704|A complete URL is used as it is.
        >2
        sjnetwork.download.duplicate-start|EXT|wire|002:583-600|A second download of the same URL, or to the same file, is refused.
        >2

        """

    private static let control = """
        sjnetwork.control.all-downloads|OK|wire|002:714|Every kind of download can be suspended, resumed and cancelled.
        >2
        sjnetwork.control.suspend-one|OK|wire|002:722-726|A suspended download receives nothing, and others go on.
        >2
        sjnetwork.control.suspend-many|OK|wire|002:730-734|Exactly the listed downloads are suspended.
        >2
        sjnetwork.control.suspend-all|OK|wire|002:738-742|All downloads are suspended, and other requests are not.
        >2
        sjnetwork.control.resume-one|OK|wire|002:750-754|A resumed download completes without beginning anew.
        >2
        sjnetwork.control.resume-many|OK|wire|002:758-762|Exactly the listed downloads go on.
        >2
        sjnetwork.control.resume-all|OK|wire|002:766-770|All suspended downloads complete.
        >2
        sjnetwork.control.resume-only-suspended|EXT|wire|002:750,758,766|Resuming what is not suspended changes nothing.
        >2
        sjnetwork.control.cancel-one|OK|wire|002:780-784|A cancelled download fails as cancelled and keeps its part.
        >2
        sjnetwork.control.cancel-many|OK|wire|002:788-792|Exactly the listed downloads fail.
        >2
        sjnetwork.control.cancel-all|OK|wire|002:796-800|All downloads fail once, and other requests do not.
        >2
        sjnetwork.control.identify-by-given-url|OK|api|002:725,733,753,761,783,791|A download is addressed by the text it was started with.
        >2
        sjnetwork.control.suspended-timeout|EXT|wire|002:148,714|A suspended download does not time out.
        >2

        """
}
