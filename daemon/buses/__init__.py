"""One module per message bus, each exporting BUS."""
