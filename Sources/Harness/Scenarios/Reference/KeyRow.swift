import LocatedYAML
import OriginScript

/// One key of a map in the scenario language: how it is written and how it is read.
struct KeyRow<Key: MapKey, Value>: Sendable {
    /// Name, value, default, meaning, example and schema.
    let reference: ReferenceRow
    /// Sets the property of the key if the map has it; called for every map, in the order of the keys.
    let read: @Sendable (inout Value, MapReader<Key>, ScenarioReading) -> Void
}

extension ReferenceRow {
    /// Returns the row with how its key is read.
    func read<Key, Value>(
        _ read: @escaping @Sendable (inout Value, MapReader<Key>, ScenarioReading) -> Void
    ) -> KeyRow<Key, Value> {
        KeyRow(reference: self, read: read)
    }
}

extension ScenarioReading {
    /// Reads the keys of a map by the rows of their table.
    func read<Key, Value>(_ map: MapReader<Key>, by table: [KeyRow<Key, Value>], into value: inout Value) {
        for row in table { row.read(&value, map, self) }
    }
}
