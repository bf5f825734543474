"""Card shoes and card scanners: one module (or package) per device, exporting DEVICE."""
