public import LocatedYAML

extension ImageExpectation {
    /// Returns what of this does not hold; unless something else is said there must be an image.
    public func check(_ seen: ImageObservation, at position: Position) -> [Mismatch] {
        var mismatches = Mismatches()
        checkOutcome(seen, position, &mismatches)
        if let sources {
            mismatches.require(
                seen.source.map(sources.value.contains) ?? false,
                "source",
                at: sources.position,
                expected: sources.value.joined(separator: " or "),
                seen: seen.source ?? "no image"
            )
        }
        check(type?.value, type?.position, "type", seen.type, &mismatches)
        check(pixels?.value.description, pixels?.position, "pixels", seen.pixels?.description, &mismatches)
        check(
            isNotModified.map { "\($0.value)" },
            isNotModified?.position,
            "not-modified",
            "\(seen.isNotModified)",
            &mismatches
        )
        mismatches.check(deliveries, "deliveries", seen.deliveries)
        mismatches.check(milestones, "milestones", seen.milestones)
        if let took {
            mismatches.require(
                took.value.holds(for: seen.took),
                "took",
                at: took.position,
                expected: took.value.text + " s",
                seen: NumberExpectation.text(of: seen.took) + " s"
            )
        }
        return mismatches.list
    }

    private func checkOutcome(_ seen: ImageObservation, _ position: Position, _ mismatches: inout Mismatches)
    {
        let text = seen.failure == .none ? "none" : "\(seen.failure.text): \(seen.reason)"
        if let error {
            mismatches.require(
                error.value == seen.failure,
                "error",
                at: error.position,
                expected: error.value.text,
                seen: text
            )
        }
        let wantsImage = isPresent?.value ?? (error == nil || error?.value == ImageFailure.none)
        mismatches.require(
            wantsImage == (seen.pixels != nil),
            "image",
            at: isPresent?.position ?? position,
            expected: wantsImage ? "an image" : "no image",
            seen: seen.pixels.map { "an image of \($0)" } ?? "none, error \(text)"
        )
    }

    private func check(
        _ wanted: String?,
        _ position: Position?,
        _ subject: String,
        _ seen: String?,
        _ mismatches: inout Mismatches
    ) {
        guard let wanted, let position else { return }
        mismatches.require(wanted == seen, subject, at: position, expected: wanted, seen: seen ?? "no image")
    }
}
