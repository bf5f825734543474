"""One attached device: its session, views of what it says, its detection."""
