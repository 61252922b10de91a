/// Recognises names that change with their content.
package enum Fingerprint {
    /// Whether a path, or its query, has a hash, a version or a date.
    package static func isIn(_ target: String) -> Bool {
        let parts = target.split(separator: "?", maxSplits: 1)
        let segments = (parts.first ?? "").split(separator: "/")
        if segments.contains(where: isVersion) { return true }
        if let name = segments.last, words(of: name).contains(where: isHash) { return true }
        guard parts.count == 2 else { return false }
        return parts[1].split(separator: "&").contains(where: isVersionParameter)
    }

    /// Whether `isIn` is true, or a folder's name is a hash: 16 hexadecimal digits or more.
    ///
    /// A shorter one may be the number of a user, whose files change.
    static func isInOrAbove(_ target: String) -> Bool {
        let path = target.prefix { $0 != "?" }
        return isIn(target)
            || path.split(separator: "/").dropLast().contains { folder in
                folder.count >= 16 && folder.allSatisfy(\.isHexDigit) && folder.contains(where: \.isNumber)
                    && folder.contains(where: \.isLetter)
            }
    }

    /// Returns the path with each hash of its last segment replaced by `[hash]`.
    package static func pattern(of path: String) -> String {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? path.prefix(0)
        let name = path.dropFirst(folder.count)
        var (pattern, word) = ("", "")
        for character in name + "." {
            if isWordCharacter(character) {
                word.append(character)
                continue
            }
            pattern += isHash(word) ? "[hash]" : word
            pattern.append(character)
            word = ""
        }
        return String(folder) + String(pattern.dropLast())
    }

    /// Whether a word looks like a hash: eight characters or more, with digits, or with both cases mixed.
    package static func isHash(_ word: some StringProtocol) -> Bool {
        guard word.count >= 8, word.allSatisfy(isWordCharacter) else { return false }
        if word.contains(where: \.isNumber) { return true }
        let inner = word.dropFirst()
        return inner.contains(where: \.isUppercase) && inner.contains(where: \.isLowercase)
            && !isCamelCase(word)
    }

    /// Whether a word may be a name: `camelCaseNames` have a capital only before small letters; random ones have capitals
    /// in a row.
    private static func isCamelCase(_ word: some StringProtocol) -> Bool {
        let capitals = word.map(\.isUppercase)
        return !zip(capitals, capitals.dropFirst()).contains { $0 && $1 }
    }

    private static func isWordCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }

    private static func words(of name: Substring) -> [Substring] {
        name.split { !isWordCharacter($0) }
    }

    /// Whether a segment has a version: `1.2.3`, `v2`, `v1.2.3`, `app.v12.js`, `jquery-3.7.1.min.js`.
    private static func isVersion(_ segment: Substring) -> Bool {
        words(of: segment).contains { $0.first == "v" && isNumber($0.dropFirst()) }
            || segment.split { $0 == "-" || $0 == "@" || $0 == "_" }.contains { word in
                let numbers = word.dropFirst(word.first == "v" ? 1 : 0)
                    .split(separator: ".", omittingEmptySubsequences: false).prefix(while: isNumber)
                return numbers.count >= 2
            }
    }

    private static func isNumber(_ word: Substring) -> Bool { !word.isEmpty && word.allSatisfy(\.isNumber) }

    private static func isVersionParameter(_ parameter: Substring) -> Bool {
        let parts = parameter.split(separator: "=", maxSplits: 1)
        guard let name = parts.first else { return false }
        if parts.count == 1 { return isHash(name) }
        return ["v", "ver", "version", "rev", "hash", "h", "t", "ts"].contains(name.lowercased())
            || isHash(parts[1])
    }
}
