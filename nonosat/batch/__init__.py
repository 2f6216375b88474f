"""Large collections: every puzzle is decided once and recorded, even if processes are killed."""
