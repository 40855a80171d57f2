"""How products are kept fresh: ledger, memory, batch mapper, session, publish."""
