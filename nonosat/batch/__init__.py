"""Big collections: every puzzle decided once and recorded, whatever is killed in between."""
