"""One module per kind of wire, each exporting LINK."""
