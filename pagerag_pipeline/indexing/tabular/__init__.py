"""Tables as text: cells of a row, what a heading says, amounts and periods. Which records a row gives is said in `indexing/row_records`."""
