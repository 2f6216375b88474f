"""Settings of Sphinx for the documentation site, which `build.py` builds."""

from __future__ import annotations

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from nonosat import __version__

project = html_title = "nonosat"
author = "The nonosat developers"
version = release = __version__
copyright = author  # noqa: A001 - Sphinx reads this name

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click"]
root_doc = "README"
include_patterns = ["README.md", "CHANGELOG.md", "benchmarks/**", "docs/**", "github/**"]
include_patterns += ["instances/README.md", "nonosat/README.md", "nonosat/*/README.md"]
include_patterns += ["nonosat/studio/page/embed/README.md"]
exclude_patterns = ["docs/contents.md", "docs/listed", "github/PULL_REQUEST_TEMPLATE.md"]

myst_enable_extensions = ["html_image"]
myst_heading_anchors = 3  # as on code hosts: `page.md#a-heading`
suppress_warnings = ["myst.header"]  # change logs repeat headings and skip levels

default_role = "code"  # docstrings quote names with single backticks
highlight_language = "none"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
napoleon_numpy_docstring = False

html_theme = "furo"
html_copy_source = html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1d4ed8", "color-brand-content": "#1d4ed8"},
    "dark_css_variables": {"color-brand-primary": "#93b4ff", "color-brand-content": "#93b4ff"},
}
html_static_path = ["site.css"]
html_css_files = ["site.css"]


def adapt_docstring(
    _app: Sphinx, _kind: str, _name: str, _what: object, _options: object, lines: list[str]
) -> None:
    """Make two habits of the docstrings known to Sphinx, in place.

    An indented block after a colon is code, as in Markdown. The text of "Returns:" and "Yields:"
    does not begin with a type, which the signature states; so a colon in it is a colon.
    """
    for at in range(len(lines)):
        after = lines[at + 2] if at + 2 < len(lines) else ""
        is_code = after.startswith("    ") and not after.lstrip().startswith(">>>")
        if lines[at].endswith(":") and not lines[at + 1] and is_code:
            lines[at] += ":"
        if lines[at] in ("Returns:", "Yields:") and lines[at + 1].startswith("    "):
            lines[at] = f":{lines[at][:-1].lower()}:"


def setup(app: Sphinx) -> None:
    """Register plain text as the language of worked examples, and the hook for docstrings."""
    app.add_lexer("example", TextLexer)
    app.connect("autodoc-process-docstring", adapt_docstring, priority=100)  # before Napoleon
