"""One puzzle family a module or folder: data, model, decoding, verifier."""
