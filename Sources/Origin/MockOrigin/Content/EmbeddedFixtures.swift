import TextCodings

/// The files of `fixtures/images`, embedded so that the server needs no folder; a test compares them.
enum EmbeddedFixtures {
    /// Returns a file's bytes; `nil` if there is no file with the name.
    static func bytes(named name: String) -> [UInt8]? {
        files[name.hasPrefix("images/") ? String(name.dropFirst(7)) : name]
    }

    private static let files = ["image.jpg": decode(jpeg), "image.png": decode(png)]

    private static func decode(_ text: StaticString) -> [UInt8] {
        Base64.decode("\(text)", skippingBlanks: true) ?? []
    }

    private static let jpeg: StaticString = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwg
        IyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo
        KCgoKCgoKCgoKCgoKCj/wAARCAAgADADASIAAhEBAxEB/8QAGgABAAIDAQAAAAAAAAAAAAAABAMFAQcIBv/EACkQAAEDAwMD
        BAIDAAAAAAAAAAMBAgQABRESIWETMUEGFCKRUcFx4fD/xAAWAQEBAQAAAAAAAAAAAAAAAAAGBQf/xAAbEQACAwEBAQAAAAAA
        AAAAAAABAwAEETECIf/aAAwDAQACEQMRAD8Aohg4pQw0gYOKWMNXbLYbqPhhhpQwcVpL1DepN7mqeR8RtyghIvxGn7X8r5/j
        CJDZrpKs88cuE/SVuyou7Xt8tcnlF/29R2+T74YnQ8rzZv4YeKUMNYsxPf2uHM6fT9wFhdGc6dTUXGfPerQYaNWW4SIopv5P
        PDBxShh4pIwcUoYOKVWWzGaj5zTe7TLstxJDnj0Fbuipu17fDmr5Rf6XdFSoLdCk3GaGJBC40kztLGN7qv6Tyq9kTeunZVng
        3Dp+/hRpWjOjrCa/TnvjKbdk+qnttitsAylg26HGKrdKvCBrFVO+MonbZPqprL48Dn2LEWQwDYf0/biQbLb4hla4seOMT1Yu
        UVWtRFxxtVwMPFIGDiljBxRW07STEdN3J//Z
        """

    private static let png: StaticString = """
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAIAAADbtmxLAAAAv0lEQVR42mPUztnAwvBvMCFmhkEFRh006qBRBw1qB82fswSX
        VGuKF3lmMjEwM5CHFs9ZhMfc6jnbyDOWTActn7mAoF/LZ+6gk4NWT5tHZPgXT9tFcwetnzyHpDSRP3kPSebTJZcxD7ZsP+qg
        UQeNOmgwOYjkgjGwO4Ukx0zsdqF51RHal0Ska3r73OhUuUZOTCDoms6JHvSr7RmYGWKnxOFxTesUL/KMpShRJ06PwdXfY2D4
        N9qEHXXQqIMGp4MA2YVbTJ0Tu1EAAAAASUVORK5CYII=
        """
}
