"""Reports of benchmarks: one page without network, Markdown, CSV."""
