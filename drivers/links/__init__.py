"""One module per kind of link, each exporting LINK."""
