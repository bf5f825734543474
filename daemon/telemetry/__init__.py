"""What the daemon tells its operator: metrics, logs, systemd."""
