package import LocatedYAML
package import Scenarios

extension ImageExpectation {
    /// Returns the expectations that are not met; unless stated otherwise, there must be an image.
    package func check(_ seen: ImageObservation, at position: Position) -> [Mismatch] {
        var mismatches = Mismatches()
        checkOutcome(seen, position, &mismatches)
        mismatches.check(sources, "source", text: \.text, seen: seen.source?.rawValue ?? Self.noImage) {
            seen.source.map($0.contains) ?? false
        }
        mismatches.check(type, "type", seen.type, absence: Self.noImage)
        let size = pixels.map { Located($0.value.description, at: $0.position) }
        mismatches.check(size, "pixels", seen.pixels?.description, absence: Self.noImage)
        mismatches.check(isNotModified, "not-modified", seen.isNotModified)
        mismatches.check(deliveries, "deliveries", seen.deliveries)
        mismatches.check(milestones, "milestones", seen.milestones)
        mismatches.check(took: took, seen.took)
        return mismatches.list
    }

    private func checkOutcome(_ seen: ImageObservation, _ position: Position, _ mismatches: inout Mismatches)
    {
        let text = seen.failure == .none ? "none" : "\(seen.failure.text): \(seen.reason)"
        mismatches.check(error, "error", text: \.text, seen: text) { $0 == seen.failure }
        let wantsImage = isPresent?.value ?? (error == nil || error?.value == ImageFailure.none)
        mismatches.require(
            wantsImage == (seen.pixels != nil),
            "image",
            at: isPresent?.position ?? position,
            expected: wantsImage ? "an image" : Self.noImage,
            seen: seen.pixels.map { "an image of \($0)" } ?? "none, error \(text)"
        )
    }

    private static let noImage = "no image"
}
