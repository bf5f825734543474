"""What `pitwire new-device` begins with: small devices of each kind that keep every law."""
