"""A USB device by libusb: which one is meant, opening it, its reports."""
