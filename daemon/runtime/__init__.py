"""One running table: its inbox, codec, recovery, commands."""
