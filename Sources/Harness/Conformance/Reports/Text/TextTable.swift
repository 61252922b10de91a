/// Columns of text: the first aligned left, the others right.
package enum TextTable {
    /// Returns one line for each row; all rows have as many cells as the first.
    package static func lines(_ rows: [[String]]) -> [String] {
        let columns = rows.first?.count ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }
    }
}
